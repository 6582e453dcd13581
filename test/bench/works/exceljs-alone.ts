/** Yardstick: the exceljs streaming reader alone, every cell's text touched. Argument: file. */
import ExcelJS from 'exceljs';
import { printResult } from '../work-result.ts';

const [path = ''] = process.argv.slice(2);
const started = performance.now();
let rows = 0;
let letters = 0;
const reader = new ExcelJS.stream.xlsx.WorkbookReader(path, {
  sharedStrings: 'cache',
  styles: 'cache',
  worksheets: 'emit',
});
for await (const sheet of reader) {
  for await (const row of sheet) {
    rows += 1;
    row.eachCell((cell) => {
      letters += cell.text.length;
    });
  }
}
printResult({ ms: performance.now() - started, rows, note: `${letters} letters` });
