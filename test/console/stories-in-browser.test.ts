/** The main story in a real browser with script. The soak runs the other stories, and this one without script. */
import { it } from 'vitest';
import { aChromium } from '../files/report/a-browser.ts';
import { payPayroll } from './payroll-story.ts';

const browser = aChromium();

it('pays a payroll from the file over corrected cells to its report', () => payPayroll(browser()), 90_000);
