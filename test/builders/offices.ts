/** Offices of a test file: each is closed after the test that opened it. */
import { afterEach } from 'vitest';
import { type Office, openOffice } from './office.ts';

export function officesFor(
  env: Readonly<Record<string, string>> = {},
): (more?: Readonly<Record<string, string>>) => Office {
  const open: Office[] = [];
  afterEach(() => {
    for (const office of open.splice(0)) office.close();
  });
  return (more = {}) => {
    const made = openOffice({ ...env, ...more });
    open.push(made);
    return made;
  };
}
