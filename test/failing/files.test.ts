/**
 * Every fault at one moment after another over what files are: the same one again, a mended one, added rows,
 * repeats, two batches with the same rows.
 */
import { aRow, someRows } from '../builders/payout-file.ts';
import { approveMay, FIRST, placeMay, runMay, type Scenario, SECOND, type Step, THIRD } from './scenario.ts';
import { sweepAll } from './sweep.ts';

const withBadRow = [...someRows(2), aRow(3, { amount: 'half' })];
const placeBad: Step = (person) => person.place(withBadRow, 'may');
const aDayLater: Step = async (person) => person.waits(24 * 3_600_000);
const june = (change = {}) => someRows(3).map((row) => ({ ...row, ...change }));
const TWICE = { [FIRST]: 2, [SECOND]: 2, [THIRD]: 2 };

const FILES: readonly Scenario[] = [
  {
    name: 'an invalid row that is left out',
    steps: [placeBad, runMay],
    ends: { may: 'settled settled invalid' },
  },
  {
    name: 'an invalid row that is mended after the others were paid',
    before: [placeBad, runMay],
    steps: [placeMay, runMay],
    ends: { may: 'settled settled settled' },
  },
  {
    name: '[B4] rows added after the approval',
    before: [placeMay, approveMay],
    steps: [(person) => person.place(someRows(4), 'may'), runMay],
    ends: { may: 'settled settled settled settled' },
  },
  {
    name: 'rows left out and changed before anything was agreed to',
    before: [placeMay],
    steps: [(person) => person.place([aRow(1), aRow(2, { amount: '1300.00' })], 'may'), runMay],
    ends: { may: 'settled settled' },
  },
  {
    name: '[B1] the same file again in the middle of a run',
    before: [placeMay, approveMay],
    steps: [runMay, placeMay, runMay],
    ends: { may: 'settled settled settled' },
  },
  {
    name: '[B3] a file that changes a paid row, which is refused and dropped',
    before: [placeMay, runMay],
    steps: [
      (person) => person.place([aRow(1, { amount: '1300.00' }), ...someRows(3).slice(1)], 'may'),
      runMay,
    ],
    ends: { may: 'settled settled settled' },
  },
  {
    name: 'a file without rows, which is refused and dropped',
    before: [placeMay],
    steps: [(person) => person.place([], 'empty'), runMay],
    ends: { may: 'settled settled settled' },
  },
  {
    name: 'the rows of a paid batch under another name, which are held',
    before: [placeMay, runMay],
    steps: [(person) => person.place(someRows(3), 'june'), (person) => person.run('june')],
    ends: { may: 'settled settled settled', june: 'held held held' },
  },
  {
    name: 'the rows of a paid batch, paid again on purpose',
    before: [placeMay, runMay, aDayLater],
    steps: [(person) => person.place(someRows(3), 'june'), (person) => person.run('june')],
    repeats: { june: 'may' },
    ends: { may: 'settled settled settled', june: 'settled settled settled' },
    pays: TWICE,
  },
  {
    name: 'the rows of a paid batch, let go one by one',
    before: [placeMay, runMay, (person) => person.place(someRows(3), 'june'), (person) => person.run('june')],
    steps: [(person) => person.release('june', 'repeat'), (person) => person.run('june')],
    ends: { may: 'settled settled settled', june: 'settled settled settled' },
    pays: TWICE,
  },
  {
    name: '[L22] two batches with the same rows, planned before either is sent',
    before: [placeMay, (person) => person.place(june({ note: 'June' }), 'june')],
    steps: [approveMay, (person) => person.approve('june'), (person) => person.run('june'), runMay],
    ends: { may: 'settled|held settled|held settled|held', june: 'settled|held settled|held settled|held' },
  },
  {
    name: '[L22] two batches with the same rows, sent at the same moment',
    before: [placeMay, (person) => person.place(june({ reference: '' }), 'june')],
    steps: [
      (person) => Promise.all([person.approve('may'), person.approve('june')]),
      (person) => Promise.all([person.send('may'), person.send('june')]),
    ],
    ends: { may: 'settled|held settled|held settled|held', june: 'settled|held settled|held settled|held' },
  },
  {
    name: '[B5] two equal rows in one file',
    steps: [
      (person) => person.place([aRow(1, { reference: '' }), aRow(1, { reference: '' }), aRow(2)], 'may'),
      runMay,
    ],
    ends: { may: 'settled held settled' },
  },
];

sweepAll(FILES);
