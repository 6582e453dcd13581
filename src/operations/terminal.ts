/** Names and inputs of commands that only the terminal has. The terminal runs them itself. */
import { z } from 'zod';
import { choice, overwrite, port, text, word } from './fields.ts';
import { field } from './operation.ts';

export const demo = {
  name: 'demo',
  input: z.strictObject({
    out: field(text.optional(), { help: 'where the reports go (./payfile-demo)', value: 'folder' }),
    overwrite: overwrite(),
  }),
};

export const console = {
  name: 'console',
  input: z.strictObject({
    port: port('port on localhost (any that is free)'),
    noOpen: choice('show the link instead of opening the browser'),
    install: choice('register a passkey, then write a file that keeps the console running'),
  }),
};

export const completion = {
  name: 'completion',
  input: z.strictObject({ shell: word('shell') }),
};
