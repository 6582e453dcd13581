/**
 * Every day properties are tried with the same values, so that a tree that passed once passes again. The soak draws new
 * values at each run, and says the seed of what fails.
 */
import fc from 'fast-check';

if (process.env['SOAK'] === undefined) fc.configureGlobal({ seed: 20_260_531 });
