"""The solo race as a Markov decision process, solved exactly: arrays and compiled sweeps that know no rules."""
