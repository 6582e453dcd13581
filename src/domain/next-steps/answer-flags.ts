/** What a person says of a file, as flags of a command: `--map 'amount=Net Pay'`. */
import type { Answer } from '../reading/answer.ts';
import type { Flag } from './command.ts';

export function answerFlags(answers: readonly Answer[]): readonly Flag[] {
  return answers.map(flagOf);
}

function flagOf(answer: Answer): Flag {
  switch (answer.kind) {
    case 'map':
      return ['--map', `${answer.field}=${answer.headers.join('+')}`];
    case 'first_filled':
      return ['--map', `${answer.field}=${answer.headers.join('|')}`];
    case 'set':
      return answer.text === ''
        ? ['--set', { before: `${answer.field}=`, fillIn: 'TEXT' }]
        : ['--set', `${answer.field}=${answer.text}`];
    case 'value': {
      const field = answer.field === 'institution' ? '' : `${answer.field}:`;
      const country = answer.country === undefined ? '' : `${answer.country}/`;
      return ['--value', `${field}${country}${answer.written}=${answer.means}`];
    }
    case 'leave_out':
      return ['--leave-out', `${answer.header}=${answer.words.join(',')}`];
    case 'leave_out_row':
      return ['--leave-out-row', String(answer.row)];
    case 'pay_anyway':
      return ['--pay-anyway', answer.header];
    case 'ignore':
      return ['--ignore', answer.header];
    case 'fill_down':
      return ['--fill-down', answer.fields.join(',')];
    case 'skip_zero':
      return ['--skip-zero'];
    case 'latin_digits':
      return ['--digits', 'latin'];
    case 'scale':
      return ['--scale', `${answer.header}=${answer.factor}`];
    case 'names_without_numbers':
      return ['--names-without-numbers'];
    case 'decimal':
      return ['--decimal', answer.mark];
    case 'encoding':
      return ['--encoding', answer.name];
  }
}
