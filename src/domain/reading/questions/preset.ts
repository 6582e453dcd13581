/** A known export: what its columns mean is proposed in one question, and the person says whether it is so. */
import { isSameHeader, REQUIRED_FIELDS } from '../../rows/column-names.ts';
import type { Field } from '../../rows/row.ts';
import { message } from '../../text/message.ts';
import { type Answer, headersOf } from '../answer.ts';
import type { Look, SeenColumn } from '../look.ts';
import { presetFor } from '../presets.ts';
import type { Asks } from '../question.ts';
import { choice, isAbout, listed, quoted, shown } from './columns.ts';

export const askPreset: Asks = (look, said) => {
  const preset = presetFor(look.columns.map(({ header }) => header));
  if (preset === undefined) return [];
  const open = preset.proposes.filter((answer) => isOpen(answer, look, said));
  if (!open.some(decides)) return [];
  const taken = preset.takes.filter(({ header, field }) => columnOf(header, look)?.field === field);
  return [
    {
      code: 'known_export',
      text: message(
        'known_export',
      )`Is this a ${preset.name}? Then ${listed([...open, ...taken.map(mapOf)].map((answer) => meaning(answer, look)))}.`,
      headers: open.flatMap(headersOf),
      settles: open.flatMap(fieldOf),
      choices: [choice(`Read it as a ${preset.name}`, ...open)],
    },
  ];
};

const mapOf = ({ field, header }: { readonly field: Field; readonly header: string }): Answer => ({
  ...{ kind: 'map', field },
  headers: [header],
});

/** Whom a row pays, how much, and whether. The others only stand beside them in the question. */
function decides(answer: Answer): boolean {
  if (answer.kind === 'leave_out') return true;
  return fieldOf(answer).some((field) => REQUIRED_FIELDS.includes(field));
}

/** Nobody said it, and the column does not mean it by its name already. */
function isOpen(answer: Answer, look: Look, said: readonly Answer[]): boolean {
  const [field] = fieldOf(answer);
  if (field !== undefined) {
    const isSaid = said.some((other) => fieldOf(other)[0] === field);
    const used = look.columns.find((column) => column.field === field);
    const isThat = used !== undefined && (answer.kind === 'set' || used.header === headersOf(answer)[0]);
    return !isSaid && !isThat;
  }
  const column = columnOf(headersOf(answer)[0] ?? '', look);
  if (column === undefined || column.filled === 0 || isAbout(said, 'ignore', column)) return false;
  if (answer.kind !== 'leave_out') return true;
  return !isAbout(said, 'leave_out', column) && answer.words.some((word) => column.words?.has(word));
}

function meaning(answer: Answer, look: Look): string {
  const named = headersOf(answer).map((header) => {
    const column = columnOf(header, look);
    return column === undefined ? quoted(header) : shown(column, fieldOf(answer)[0] === 'account');
  });
  if (answer.kind === 'set') return `the ${answer.field} of every row is ${answer.text}`;
  if (answer.kind === 'leave_out')
    return `rows with ${listed(answer.words.map(quoted))} in ${quoted(answer.header)} are not paid`;
  const [field] = fieldOf(answer);
  return field === undefined ? `${listed(named)} is not used` : `${listed(named)} is the ${field}`;
}

function fieldOf(answer: Answer): readonly Field[] {
  const isOfField = answer.kind === 'map' || answer.kind === 'first_filled' || answer.kind === 'set';
  return isOfField ? [answer.field] : [];
}

const columnOf = (header: string, { columns }: Look): SeenColumn | undefined =>
  columns.find((column) => isSameHeader(column.header, header));
