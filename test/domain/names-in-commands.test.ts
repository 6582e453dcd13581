/** The next command asks of names what the command before asked. */
import { expect, it } from 'vitest';
import { command, commandText } from '../../src/domain/next-steps/command.ts';

it('keeps what was said of names in commands that ask for names, and in no other', () => {
  const place = { sandbox: true, names: 'no_match=warn' };
  expect(commandText(command('run', ['may.csv']), place)).toBe(
    'payfile run may.csv --names no_match=warn --sandbox',
  );
  expect(commandText(command('status', ['may']), place)).toBe('payfile status may --sandbox');
});
