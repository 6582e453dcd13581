/** What people come for, done in a real browser with its scripts. Other stories, and this one without script, are in the soak. */
import { it } from 'vitest';
import { aChromium } from '../../adapters/files/report/a-browser.ts';
import { payPayroll } from './payroll-story.ts';

const browser = aChromium();

it('pays a payroll from the file over mended cells to its report', () => payPayroll(browser()), 90_000);
