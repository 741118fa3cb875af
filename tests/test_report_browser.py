"""The page of a report in a real browser: sorting, hovering, keyboard, schemes, widths, harm, and no request.

Without chromium and chromedriver the tests are skipped; with RULEKIT_NEED_BROWSER set that is a failure.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from report_parts import HARM, report
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from rulekit.report.page import html

FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
)  # fmt: skip
PHONE = 375


def browser(profile: Path, scripts: bool = True) -> webdriver.Chrome:
    """A headless Chromium with a fresh profile; nothing is ever downloaded for it."""
    chromium, driver = which("chromium") or which("chromium-browser"), which("chromedriver")
    if not chromium or not driver:
        reason = "there is no chromium with its chromedriver on the PATH"
        if os.environ.get("RULEKIT_NEED_BROWSER"):
            pytest.fail(reason)
        pytest.skip(reason)
    options = Options()
    options.binary_location = chromium
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    if not scripts:
        options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
    return webdriver.Chrome(options=options, service=Service(driver))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a page."""
    file = tmp_path_factory.mktemp("page") / "report.html"
    file.write_text(html(report()), encoding="utf-8")
    return file.as_uri()


@pytest.fixture(scope="module")
def chrome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    """One browser for all tests."""
    driver = browser(tmp_path_factory.mktemp("profile"))
    yield driver
    driver.quit()


@pytest.fixture
def open_page(chrome: webdriver.Chrome, page: str) -> webdriver.Chrome:
    """The page, opened anew at a desk's size."""
    chrome.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    chrome.set_window_size(1200, 900)
    for kind in ("performance", "browser"):
        chrome.get_log(kind)  # type: ignore[no-untyped-call]
    chrome.get(page)
    return chrome


def rows(driver: webdriver.Chrome) -> list[str]:
    """The first cells of the table."""
    return [cell.text for cell in driver.find_elements(By.CSS_SELECTOR, "#table-numbers tbody th")]


def head(driver: webdriver.Chrome, number: int) -> WebElement:
    return driver.find_elements(By.CSS_SELECTOR, "#table-numbers thead button")[number]


def test_clicking_a_head_sorts_by_numbers_both_ways(open_page: webdriver.Chrome) -> None:
    assert rows(open_page) == ["b", HARM, "a"]
    head(open_page, 1).click()
    assert rows(open_page) == ["a", "b", HARM]
    heads = open_page.find_elements(By.CSS_SELECTOR, "#table-numbers thead th")
    assert heads[1].get_attribute("aria-sort") == "ascending"
    head(open_page, 1).click()
    assert rows(open_page) == ["b", "a", HARM]
    assert heads[1].get_attribute("aria-sort") == "descending"


def test_heads_sort_by_keyboard_too(open_page: webdriver.Chrome) -> None:
    head(open_page, 0).send_keys(Keys.ENTER)
    assert rows(open_page) == [HARM, "a", "b"]
    assert open_page.find_element(By.CSS_SELECTOR, "#table-numbers thead th").get_attribute("aria-sort") == "ascending"


def readout(driver: webdriver.Chrome) -> str:
    return driver.find_element(By.CSS_SELECTOR, ".readout").text


def cells(driver: webdriver.Chrome) -> list[WebElement]:
    return driver.find_elements(By.CSS_SELECTOR, ".cell")


def test_a_hex_tells_its_figure_under_the_pointer(open_page: webdriver.Chrome) -> None:
    assert "hex" in readout(open_page)
    ActionChains(open_page).move_to_element(cells(open_page)[5]).perform()
    assert readout(open_page) == "H5: risk 5 %"


def test_a_hex_tells_its_figure_in_focus_and_arrows_lead_on(open_page: webdriver.Chrome) -> None:
    radio = open_page.find_element(By.ID, "board-risk")
    open_page.execute_script("arguments[0].focus()", radio)
    ActionChains(open_page).send_keys(Keys.TAB).perform()
    assert readout(open_page) == "H0: risk 0 %"
    ActionChains(open_page).send_keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN).perform()
    assert readout(open_page) == "H4: risk 4 %"
    ActionChains(open_page).send_keys(Keys.ARROW_LEFT, Keys.ARROW_UP, Keys.ARROW_UP).perform()
    assert readout(open_page) == "H0: risk 0 %"


def colours(driver: webdriver.Chrome) -> list[str]:
    return [cell.value_of_css_property("fill") for cell in cells(driver)]


def test_layers_switch_the_colours(open_page: webdriver.Chrome) -> None:
    before = colours(open_page)
    assert before[0] != before[1]
    open_page.find_element(By.CSS_SELECTOR, "label[for=board-value]").click()
    after = colours(open_page)
    assert before[0] == after[6]
    assert after[4] != before[4]
    shown = [text.text for text in open_page.find_elements(By.CSS_SELECTOR, ".map .value text") if text.is_displayed()]
    assert sorted(shown) == [str(k) for k in range(9)]


def test_nothing_leaves_the_page_and_nothing_complains(open_page: webdriver.Chrome, page: str) -> None:
    head(open_page, 0).click()
    events = [json.loads(entry["message"])["message"] for entry in open_page.get_log("performance")]  # type: ignore[no-untyped-call]
    asked = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
    assert page in asked
    assert [url for url in asked if not url.startswith(("file:", "data:", "chrome:"))] == []
    assert [url for url in asked if url.startswith("file:")] == [page]
    assert open_page.get_log("browser") == []  # type: ignore[no-untyped-call]


def test_a_name_that_means_harm_is_shown_as_it_is(open_page: webdriver.Chrome) -> None:
    assert open_page.find_element(By.TAG_NAME, "h1").text == HARM
    assert len(open_page.find_elements(By.TAG_NAME, "script")) == 1
    assert not alerts(open_page)


def alerts(driver: webdriver.Chrome) -> bool:
    from selenium.common.exceptions import NoAlertPresentException

    try:
        driver.switch_to.alert.dismiss()
    except NoAlertPresentException:
        return False
    return True


def test_a_phone_scrolls_down_only(open_page: webdriver.Chrome, page: str) -> None:
    screen = {"width": PHONE, "height": 700, "deviceScaleFactor": 2, "mobile": True}
    open_page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    open_page.get(page)
    wide = "return [document.documentElement.scrollWidth, window.innerWidth]"
    assert open_page.execute_script(wide) == [PHONE, PHONE]


def luminance(driver: webdriver.Chrome, name: str) -> float:
    """Of a colour of the page's body, from 0 to 1."""
    colour = driver.find_element(By.TAG_NAME, "body").value_of_css_property(name)
    red, green, blue = (int(part) for part in colour.partition("(")[2].rstrip(")").split(",")[:3])
    return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255


def schemes(driver: webdriver.Chrome, scheme: str, media: str = "") -> tuple[float, float]:
    """Luminance of paper and ink under a colour scheme."""
    features: list[dict[str, Any]] = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": features})
    return luminance(driver, "background-color"), luminance(driver, "color")


def test_the_dark_scheme_is_dark_on_the_screen_alone(open_page: webdriver.Chrome) -> None:
    paper, ink = schemes(open_page, "light")
    assert (paper > 0.9, ink < 0.2) == (True, True)
    paper, ink = schemes(open_page, "dark")
    assert (paper < 0.15, ink > 0.8) == (True, True)
    paper, _ = schemes(open_page, "dark", "print")
    assert paper > 0.9


def test_the_page_can_be_read_without_scripts(tmp_path: Path, page: str) -> None:
    driver = browser(tmp_path / "profile", scripts=False)
    try:
        driver.get(page)
        assert driver.find_elements(By.CSS_SELECTOR, "thead button") == []
        assert rows(driver) == ["b", HARM, "a"]
        assert "hex" in readout(driver)
        before = colours(driver)
        driver.find_element(By.CSS_SELECTOR, "label[for=board-value]").click()
        assert colours(driver) != before
        assert driver.find_element(By.CSS_SELECTOR, ".cell title").get_attribute("textContent") == "H0: risk 0\u00a0%"
        assert driver.find_element(By.CSS_SELECTOR, ".verdict .answer").text == f"Answer {HARM}."
    finally:
        driver.quit()
