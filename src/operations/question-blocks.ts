/**
 * Questions about a file, each with its choices and the flags that make them.
 *
 * JSON: questions: [{code, text, headers, choices: [{label, flags, answers}]}].
 */

import { answerFlags } from '../domain/next-steps/answer-flags.ts';
import { flagText } from '../domain/next-steps/command.ts';
import { type Choice, type Question, wholeText } from '../domain/reading/question.ts';
import { textOf, type Wording } from '../domain/text/message.ts';
import { rowsText } from '../domain/text/printable.ts';
import type { FileHasQuestions } from '../ports/row-source.ts';
import { type Block, line } from './block.ts';
import { issuesJson, shortIssues } from './issue-blocks.ts';

export function questionBlocks(questions: readonly Question[]): readonly Block[] {
  return questions.flatMap((question, at) => [
    line(`${at + 1}. `, ...wholeText(question)),
    ...question.choices.filter(isShown).map((choice) => {
      const flags = flagsText(choice);
      return line('     ', ...choice.label.pieces, flags === '' ? '' : `: ${flags}`);
    }),
  ]);
}

const isShown = ({ isFurther }: Choice): boolean => isFurther !== true;

const flagsText = (choice: Choice): string => flagsOf(choice).join(' ');

/** A header over two lines is found by its words, and nobody types a line break. */
function flagsOf({ answers }: Choice): readonly string[] {
  const inOneLine = (header: string) => header.replace(/\s+/g, ' ');
  const named = answers.map((answer) => {
    if ('headers' in answer) return { ...answer, headers: answer.headers.map(inOneLine) };
    return 'header' in answer ? { ...answer, header: inOneLine(answer.header) } : answer;
  });
  return answerFlags(named).map(flagText);
}

/** Of a file that is refused until somebody answers. */
export function askedBlocks({ questions, issues }: FileHasQuestions): readonly Block[] {
  const rows =
    issues.length === 0 ? [] : [line(`Besides, ${rowsText(issues.length)} cannot be paid as written:`)];
  return [
    ...questionBlocks(questions),
    ...rows,
    ...shortIssues(issues)
      .slice(0, MOST_ISSUES)
      .map((text) => line(`  ${text}`)),
  ];
}

const MOST_ISSUES = 20;

export function askedJson({ questions, issues, sheet }: FileHasQuestions, wording: Wording) {
  return { questions: questionsJson(questions, wording), issues: issuesJson(issues, sheet) };
}

export function questionsJson(questions: readonly Question[], wording: Wording) {
  return questions.map((question) => ({
    code: question.code,
    text: textOf(wholeText(question), wording),
    headers: question.headers,
    choices: question.choices.filter(isShown).map((choice) => ({
      label: textOf(choice.label.pieces, wording),
      flags: flagsOf(choice),
      answers: choice.answers,
    })),
  }));
}
