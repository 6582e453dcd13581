/** What was sent to the service is recognised in its answers, however it was written there, and hidden. */
import { describe, expect, it } from 'vitest';
import {
  echoesOfAccount,
  echoesOfSecret,
  withoutEchoes,
  withoutEchoesIn,
} from '../../src/domain/text/sensitive.ts';

const ACCOUNT = echoesOfAccount('0244123456789');
const PASSWORD = echoesOfSecret('s3cr/t "päss"&1');

describe('an account in the words of the service', () => {
  it.each([
    ['as it is', 'no account 0244123456789 here', 'no account ••••6789 here'],
    ['grouped', 'no account 0244 123-456 789 here', 'no account ••••6789 here'],
    ['with a no-break space and a mark that cannot be seen', '0244\u00a0123456\u200b789', '••••6789'],
    ['over two lines', 'no 0244123\r\n456789.', 'no ••••6789.'],
    ['over two lines, as JSON writes them', 'no 0244123\\r\\n456789.', 'no ••••6789.'],
    ['over two lines of a page', 'no 0244123<br/>456789.', 'no ••••6789.'],
    ['in full-width digits', '０２４４１２３４５６７８９', '••••6789'],
    ['with JSON escapes', '\\u0030244\\u0031\\u00323456789', '••••6789'],
    ['with escaped JSON escapes', '\\\\u0030244123456789', '••••6789'],
    ['percent-encoded', '%30%3244123456789', '••••6789'],
    ['percent-encoded twice', '%253024412345678%2539', '••••6789'],
    ['with HTML entities', '&#48;&#x32;44123456789', '••••6789'],
    ['with HTML entities in HTML', '&amp;#48;244123456789', '••••6789'],
    ['quoted-printable', '=30244123=\r\n456789', '••••6789'],
    ['with a country code in front', '+233244123456789', '+233••••6789'],
    ['without its leading zero', 'user 244123456789', 'user ••••6789'],
    ['twice', '0244123456789, 0244123456789', '••••6789, ••••6789'],
  ])('is masked %s', (_how, said, shown) => {
    expect(withoutEchoes(said, ACCOUNT)).toBe(shown);
  });

  it.each([
    ['base64', btoa('{"AccountNo":"0244123456789"}')],
    ['base64 that begins elsewhere', btoa('{"x":1,"AccountNo":"0244123456789"}')],
    ['hexadecimal', Buffer.from('AccountNo=0244123456789').toString('hex')],
  ])('is masked in %s', (_how, said) => {
    const shown = withoutEchoes(said, ACCOUNT);
    const decoded = Buffer.from(shown.replaceAll('•', ''), shown.startsWith('4163') ? 'hex' : 'base64');
    expect(shown).toContain('••••6789');
    expect(decoded.toString('latin1')).not.toContain('44123456');
  });

  it('leaves every other number, and a text that is short, as they are', () => {
    const said = 'HTTP 200, transfer 9007199254741002 of 22/11/2026 10:43:40, 50 % off &amp; more \\u00e4';
    expect(withoutEchoes(said, ACCOUNT)).toBe(said);
    expect(withoutEchoes('4 of 44', echoesOfAccount('44'))).toBe('4 of 44');
  });

  it('is masked where the text ends within it, when the text was cut', () => {
    expect(withoutEchoes('no account 02441', ACCOUNT)).toBe('no account 02441');
    expect(withoutEchoes('no account 02441', ACCOUNT, false)).toBe('no account ••••6789');
    const long = `${'x'.repeat(16_378)}0244123456789`;
    expect(withoutEchoes(long, ACCOUNT).slice(16_378)).toBe('••••6789');
  });
});

describe('a password in the words of the service', () => {
  it.each([
    ['as it is', 'wrong: s3cr/t "päss"&1!', 'wrong: ••••!'],
    ['in another letter case', 'wrong: S3CR/T "PÄSS"&1!', 'wrong: ••••!'],
    ['in JSON', 'wrong: s3cr\\/t \\"p\\u00e4ss\\"&1!', 'wrong: ••••!'],
    ['in JSON within JSON', 'wrong: s3cr\\\\\\/t \\\\\\"p\\\\u00E4ss\\\\\\"&1!', 'wrong: ••••!'],
    ['in an address', 'wrong: s3cr%2Ft%20%22p%C3%A4ss%22%261!', 'wrong: ••••!'],
    ['in a form', 'wrong: s3cr%2Ft+%22p%C3%A4ss%22%261!', 'wrong: ••••!'],
    ['in HTML', 'wrong: s3cr&#47;t &quot;p&#xE4;ss&quot;&amp;1!', 'wrong: ••••!'],
    ['with quotes written twice', 'wrong: s3cr/t ""päss""&1!', 'wrong: ••••!'],
    ['with its accent apart', 'wrong: s3cr/t "pa\u0308ss"&1!', 'wrong: ••••!'],
    ['over two lines', 'wrong: s3cr/t\n"päss"&1!', 'wrong: ••••!'],
  ])('shows nothing of itself %s', (_how, said, shown) => {
    expect(withoutEchoes(said, PASSWORD)).toBe(shown);
  });

  it('shows nothing of itself in base64, as credentials are sent', () => {
    const said = `Basic ${Buffer.from('acme:s3cr/t "päss"&1').toString('base64')}`;
    const decoded = Buffer.from(withoutEchoes(said, PASSWORD).slice(6).replaceAll('•', ''), 'base64');
    expect(decoded.toString('utf8')).not.toMatch(/3cr|päs/);
  });

  it('shows nothing of itself when it is short, or all of signs', () => {
    expect(withoutEchoes('wrong: a1b', echoesOfSecret('a1b'))).toBe('wrong: ••••');
    expect(withoutEchoes('wrong: +-"+', echoesOfSecret('+-"+'))).toBe('wrong: ••••');
  });
});

it('finds the same in plain letters as in a text with an escape, which is read letter by letter', () => {
  const pieces = [
    '0244',
    '123-456',
    '789',
    ' _x/',
    '244123456789',
    '\n',
    '\t',
    'AbC',
    btoa('0244123456789'),
    '456789',
  ];
  const echoes = [...ACCOUNT, ...echoesOfSecret('_x/AbC'), ...echoesOfSecret('---')];
  for (let seed = 0; seed < 2_000; seed += 1) {
    const said = [1, 10, 100, 1_000].map((ten) => pieces[Math.floor((seed * 7_919) / ten) % 10]).join('');
    expect(`${withoutEchoes(said, echoes)}&`).toBe(withoutEchoes(`${said}&`, echoes));
  }
});

it('looks at every text of a document, and lets the document stand', () => {
  const document = { token: 'canary-token-1', list: ['a', { of: 'canary-token-1' }], count: 1n, none: null };
  expect(withoutEchoesIn(document, echoesOfSecret('canary-token-1'))).toEqual({
    ...document,
    token: '••••',
    list: ['a', { of: '••••' }],
  });
});

it('reads a long answer that is all escapes in a moment', () => {
  const begun = performance.now();
  withoutEchoes('\\\\u0030%2530&amp;#48;'.repeat(60_000), [...ACCOUNT, ...PASSWORD]);
  expect(performance.now() - begun).toBeLessThan(2_000);
});
