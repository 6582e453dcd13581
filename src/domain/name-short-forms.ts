/**
 * Short forms: what people call somebody, and how businesses shorten their words. Data and its lookup. A short form
 * is worth a person's look; it never makes a match.
 */
import { linesOf } from './word-lines.ts';

/** Whether one of two folded words is a short form of the other. */
export function isShortFormOf(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (SHORT.some((group) => group.has(short) && group.has(long))) return true;
  if (short.length < 4) return false;
  return (
    LEFT_OUT_IN_FRONT.some((part) => part + short === long) ||
    LEFT_OUT_BEHIND.some((part) => short + part === long)
  );
}

/** The whole name and what people call its bearer. */
const SHORT_FORMS = linesOf(`
  samuel sam sammy
  joseph joe
  michael mike
  benjamin ben benji
  daniel dan danny
  emmanuel emma manu
  anthony tony
  elizabeth lizzy liz beth eliza
  catherine kate cathy
  margaret maggie
  christopher chris
  christiana christie
  rebecca becky
  patrick pat
  richard dick
  robert bob rob
  william bill willy
  charles charlie
  francis frank
  frederick fred
  augustine austin
  nathaniel nat
  matthew matt
  thomas tom
  timothy tim
  victoria vic vicky
  patience pat
  theresa tess
  jennifer jenny
  alexander alex
  mohammed mo
  jose ze
  francisco chico
  antonio toninho
  enterprise ent enterprises
  venture ventures
  trader traders
  service services svcs
  school schools
  international intl
  technology technologies tech
  industry industries ind
  company coy
  brothers bros
  manufacturing mfg
  nigeria nig
  ghana gh
  food foods
  farm farms
  product products
  supply supplies
  solution solutions
  store stores
`);

/** “Oluwa” in front of “Seun”, “chukwu” behind “Ifeanyi”: a part that is left out in daily life. */
const LEFT_OUT_IN_FRONT: readonly string[] = 'oluwa olu temi chukwu chi baba ade ola omo ayo ife'.split(' ');
const LEFT_OUT_BEHIND: readonly string[] = 'chukwu chi oluwa'.split(' ');

const SHORT = SHORT_FORMS.map((group) => new Set(group));
