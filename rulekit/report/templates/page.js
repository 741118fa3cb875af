"use strict";
for (const table of document.querySelectorAll("table.sorts")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(table, heads, column));
  });
}
function sort(table, heads, column) {
  const head = heads[column];
  const down = head.getAttribute("aria-sort") === "ascending";
  const body = table.tBodies[0];
  const value = row => row.cells[column].dataset.v ?? row.cells[column].textContent;
  const number = head.classList.contains("num");
  const order = (a, b) => {
    if (a === "" || b === "") return (a === "") - (b === "");
    const way = number ? a - b : a.localeCompare(b, "en", { numeric: true });
    return down ? -way : way;
  };
  const rows = [...body.rows].sort((a, b) => order(value(a), value(b)));
  body.append(...rows);
  for (const other of heads) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
}
for (const board of document.querySelectorAll(".board")) {
  const readout = board.querySelector(".readout");
  const cells = [...board.querySelectorAll(".cell")];
  if (!cells.length) continue;
  const middle = new Map(cells.map(cell => {
    const box = cell.getBBox();
    return [cell, [box.x + box.width / 2, box.y + box.height / 2]];
  }));
  const tell = cell => { readout.textContent = cell.querySelector("title").textContent; };
  let home = cells[0];
  home.setAttribute("tabindex", "0");
  readout.textContent = board.dataset.help;
  const go = cell => {
    home.setAttribute("tabindex", "-1");
    home = cell;
    home.setAttribute("tabindex", "0");
    home.focus();
  };
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  board.addEventListener("pointerover", event => {
    const cell = event.target.closest(".cell");
    if (cell) tell(cell);
  });
  board.addEventListener("focusin", event => {
    const cell = event.target.closest(".cell");
    if (cell) { go(cell); tell(cell); }
  });
  board.addEventListener("keydown", event => {
    const way = ways[event.key];
    if (!way || !event.target.closest(".cell")) return;
    event.preventDefault();
    const [x, y] = middle.get(home);
    let best = null, least = Infinity;
    for (const [cell, [cx, cy]] of middle) {
      const along = (cx - x) * way[0] + (cy - y) * way[1];
      const across = Math.abs((cx - x) * way[1]) + Math.abs((cy - y) * way[0]);
      if (along > 1 && across <= along * 1.2 && along + 2 * across < least) { least = along + 2 * across; best = cell; }
    }
    if (best) go(best);
  });
}
