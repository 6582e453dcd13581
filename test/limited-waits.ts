/**
 * Every wait has a limit. A timer without one fires at once, again and again, and the code that waits does not notice;
 * so a test in which one is made fails.
 */
const failed = Symbol.for('payfile.limited-waits');
const known = globalThis as { [failed]?: boolean };

if (known[failed] !== true) {
  known[failed] = true;
  process.on('warning', (warning) => {
    if (warning.name === 'TimeoutOverflowWarning') throw warning;
  });
}
