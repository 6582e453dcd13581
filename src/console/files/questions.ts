/**
 * Questions about a file that only its owner can answer, all on one page. The answers count for this file, and can be saved
 * with its columns.
 */
import type { Answer as FileAnswer } from '../../domain/reading/answer.ts';
import { type Choice, leadOf, type Question, withText } from '../../domain/reading/question.ts';
import { type Html, html, NOTHING } from '../../views/html.ts';
import { saidOnPage, wordsOnPage } from '../page/words.ts';
import { type Answer, page, see, seeWhyNot, type Visit } from '../server/route.ts';
import type { KeptFile } from './kept-files.ts';
import { beingPlanned, lookAt, pathOf, say, withFile } from './looking.ts';
import { readingForm } from './reading.ts';

export function questionsPage(file: KeptFile, questions: readonly Question[]): Answer {
  return page(
    file.name,
    html`<p class="alarm">${leadOf(questions, file.name)}</p>
<form method="post" action="${pathOf(file)}/answers">
${questions.map(fieldset)}<button class="main">Read the file so</button>
</form>
<p><a class="button" href="${pathOf(file)}/columns">Look at its first rows and columns</a></p>
${readingForm(file)}`,
  );
}

function fieldset({ code, text, choices }: Question, at: number): Html {
  return html`<fieldset><legend>${saidOnPage(text)}</legend>
${choices.map((choice, which) => option(choice, `answer-${at}`, which))}${hidden(code, at)}</fieldset>
`;
}

function hidden(code: string, at: number): Html {
  return html`<input type="hidden" name="code-${at}" value="${code}">`;
}

function option({ label, asksFor }: Choice, name: string, which: number): Html {
  const typed =
    asksFor === undefined
      ? NOTHING
      : html`<input name="text-${name}-${which}" aria-label="${wordsOnPage(label)}" maxlength="200">`;
  return html`<label class="choice"><input type="radio" name="${name}" value="${which}" required> ${saidOnPage(label)}</label>${typed}
`;
}

export async function answerQuestions(visit: Visit): Promise<Answer> {
  return withFile(visit, async (file) => {
    const form = await visit.form();
    const looked = await lookAt(file, visit);
    const questions = looked.kind === 'refused' ? looked.questions : [];
    const said: FileAnswer[] = [];
    for (const [at, { code, choices }] of questions.entries()) {
      const which = form.text(`answer-${at}`);
      const choice = form.text(`code-${at}`) === code && which !== '' ? choices[Number(which)] : undefined;
      if (choice === undefined) return seeWhyNot(pathOf(file), 'Answer all questions.');
      const answers = withText(choice, form.text(`text-answer-${at}-${which}`));
      if (answers === undefined)
        return seeWhyNot(pathOf(file), 'Type the text for the choice that you made.');
      said.push(...answers);
    }
    if (said.length === 0) return see(pathOf(file));
    const next = ({ reading }: KeptFile) => ({
      reading: { ...reading, answers: [...(reading.answers ?? []), ...said] },
    });
    return say(file, visit, next) ? see(pathOf(file)) : beingPlanned(file);
  });
}
