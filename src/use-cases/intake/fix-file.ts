/**
 * Writes the fix file while a file is being read: all its rows in their order, wrong cells marked. Where the
 * file has to be read once more with a proven number style, the fix file begins anew as well.
 */
import { basename } from 'node:path';
import { STANDARD_INPUT } from '../../domain/batches/batch.ts';
import { fieldOfNote } from '../../domain/rows/validate-row.ts';
import type { FixRow, FixSink, OpenFixSink } from '../../ports/outputs.ts';
import type { RowSource } from '../../ports/row-source.ts';
import { notesOf, type ReadRow, type RowSink } from './read-pass.ts';

export interface FixFile extends Omit<RowSink, 'note' | 'salt'> {
  /** Puts the file in place; undefined when no row needs mending, and then there is no file. */
  finish(): Promise<FixWritten | undefined>;
  abort(): Promise<void>;
}

/** A workbook that was written for corrections. */
export interface FixWritten {
  readonly path: string;
  /** Rows that need mending. */
  readonly wrong: number;
}

interface FixChoice {
  /** The path of the file that is read. */
  readonly source: string;
  /** Also where no row needs mending. */
  readonly isAlways?: boolean | undefined;
}

export function createFixFile(openSink: OpenFixSink, path: string, { source, isAlways }: FixChoice): FixFile {
  let sink: FixSink | undefined;
  let wrong = 0;
  const restart = async () => {
    const open = sink;
    sink = undefined;
    wrong = 0;
    await open?.abort();
  };
  return {
    restart,
    abort: restart,
    async begin(file: RowSource) {
      await restart();
      sink = await openSink(path);
      const { headers, columns, sheet, headerRow } = file;
      const fileName = source === '-' ? STANDARD_INPUT : basename(source);
      await sink.begin({ headers, columns, sheet, headerRow, fileName });
    },
    async take(rows: readonly ReadRow[]) {
      wrong += rows.filter(({ kind }) => kind === 'invalid').length;
      await sink?.write(rows.map(fixRowOf));
    },
    async finish() {
      if (sink === undefined || (wrong === 0 && isAlways !== true)) {
        await restart();
        return undefined;
      }
      await sink.end();
      return { path, wrong };
    },
  };
}

function fixRowOf(read: ReadRow): FixRow {
  if (read.kind === 'invalid') return { row: read.row, issues: read.issues, remarks: [], lookAt: [] };
  const { row, holds } = read;
  const notes = notesOf(read);
  // The sink itself says that a row was hidden and what to do about it.
  const reasons = holds.filter(({ concern }) => concern.kind !== 'hidden_row');
  const lookAt = notes.flatMap((note) => fieldOfNote(note) ?? []);
  return { row, issues: [], remarks: [...reasons.map(({ text }) => text), ...notes], lookAt };
}
