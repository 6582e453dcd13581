/**
 * ISO 20022 camt.053 (statement), camt.052 (report of the day) and camt.054 (advice of single entries), versions 02 to 13,
 * as rows. An entry that lists its payments with their amounts is a row for each of them, else one row.
 *
 * Source:  the message definitions of ISO 20022; element names are theirs.
 * Limits:  those of XML: no document type, no entities, depth and size (xml-events.ts).
 * Errors:  FileRefused for another message or version, and for XML that is damaged or cut.
 */
import { createHash } from 'node:crypto';
import type { WrittenRow } from '../../domain/rows/row.ts';
import { millionthsOf, type StatementPart } from '../../domain/statement/balances.ts';
import { printable } from '../../domain/text/printable.ts';
import { FileRefused, type RowSource, type StatementFile } from '../../ports/row-source.ts';
import type { PayoutFile } from '../opened-file.ts';
import { readXml, type XmlHandlers, type XmlKind } from '../xml-events.ts';
import { type BankEntry, idOf, type Part, rowOf, statementSource } from './statement-rows.ts';

const ABOUT: XmlKind = { what: 'statement', advice: 'Export the statement again, as camt in UTF-8.' };
const NAMESPACE = /urn:iso:std:iso:20022:tech:xsd:camt\.05([234])\.001\.(\d{2})/;
const VERSION_FIRST = 2;
const VERSION_LAST = 13;

export function isCamt(head: Buffer): boolean {
  const text = head.toString('latin1');
  return /^(?:\xef\xbb\xbf)?\s*</.test(text) && /tech:xsd:camt\.\d{3}|<(?:\w+:)?BkToCstmr/.test(text);
}

export async function openCamt(file: PayoutFile): Promise<RowSource> {
  const format = formatIn((await file.head(64 * 1024)).toString('latin1'), file.name);
  let sha256 = '';
  const read = async function* (parts: StatementPart[], signal: AbortSignal | undefined) {
    const digest = createHash('sha256');
    const reader = new CamtReader(parts);
    const bytes = async function* () {
      for await (const chunk of file.read()) {
        digest.update(chunk);
        yield chunk;
      }
    };
    for await (const _chunk of readXml(bytes(), reader, file.name, ABOUT)) {
      if (signal?.aborted === true) return;
      yield reader.take();
    }
    yield reader.take();
    if (parts.length === 0)
      throw new FileRefused(
        `${file.name} has no statement in it; expected one in the elements of ${format}. Export it again by itself, in no envelope.`,
      );
    sha256 = digest.digest('hex');
  };
  return statementSource(file, { format, read, fileSha256: () => sha256 });
}

function formatIn(head: string, name: string): StatementFile['format'] {
  const [, message, written = ''] = NAMESPACE.exec(head) ?? [];
  const version = Number(written);
  if (message !== undefined && version >= VERSION_FIRST && version <= VERSION_LAST)
    return `camt.05${message as '2' | '3' | '4'}`;
  const seen = /tech:xsd:([\w.]{1,40})/.exec(head)?.[1] ?? 'without a namespace';
  throw new FileRefused(
    `${name} is XML of ISO 20022, ${printable(seen)}; expected camt.052, camt.053 or camt.054, versions 02 to 13. Export the statement as camt.053.`,
  );
}

const STATEMENTS: ReadonlySet<string> = new Set(['Stmt', 'Rpt', 'Ntfctn']);
/** A text of an entry is at most 500 characters in every version. */
const TEXT_MAX = 10_000;

interface Detail {
  amount: string;
  currency: string;
  side: string;
  endToEndId: string;
  bankReference: string;
  account: string;
  name: string;
  readonly texts: string[];
}

const newDetail = (): Detail => ({
  ...{ amount: '', currency: '', side: '', endToEndId: '', bankReference: '', account: '', name: '' },
  texts: [],
});

interface Entry extends Detail {
  status: string;
  bookedOn: string;
  valueOn: string;
  count: string;
  readonly details: Detail[];
}

interface Bal {
  kind: string;
  amount: string;
  side: string;
  date: string;
}

/** Fills rows and statements while the XML is read. */
class CamtReader implements XmlHandlers {
  readonly #parts: StatementPart[];
  readonly #path: string[] = [];
  #rows: WrittenRow[] = [];
  #count = 0;
  #text = '';
  #currency = '';
  #part: Part | undefined;
  #entry: Entry | undefined;
  #detail: Detail | undefined;
  #balance: Bal | undefined;

  constructor(parts: StatementPart[]) {
    this.#parts = parts;
  }

  /** The rows that are whole. */
  take(): WrittenRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#path.push(name);
    this.#text = '';
    if (name === 'Amt' || name === 'InstdAmt') this.#currency = attributes['Ccy'] ?? '';
    if (this.#path.length === 3 && STATEMENTS.has(name)) {
      this.#part = {
        ...{ name: `statement ${this.#parts.length + 1}`, account: '', currency: '' },
        ...{ firstRow: this.#count + 1, opening: undefined, closing: undefined, dates: [] },
      };
      this.#parts.push(this.#part);
    } else if (this.#isAt('Ntry'))
      this.#entry = { ...newDetail(), ...{ status: '', bookedOn: '', valueOn: '', count: '', details: [] } };
    else if (this.#isAt('Ntry/NtryDtls/TxDtls')) this.#detail = newDetail();
    else if (this.#isAt('Bal')) this.#balance = { kind: '', amount: '', side: '', date: '' };
  }

  text(text: string): void {
    if (this.#text.length < TEXT_MAX) this.#text += text;
  }

  close(_name: string): void {
    const at = this.#path.slice(3).join('/');
    const text = this.#text.replace(/\s+/g, ' ').trim();
    this.#text = '';
    this.#path.pop();
    if (this.#balance !== undefined) this.#readBalance(at, text, this.#balance);
    else if (this.#entry !== undefined) this.#readEntry(at, text, this.#entry);
    else if (this.#part !== undefined) this.#readPart(at, text, this.#part);
  }

  /** Below the statement. */
  #isAt(path: string): boolean {
    return this.#part !== undefined && this.#path.slice(3).join('/') === path;
  }

  #readPart(at: string, text: string, part: Part): void {
    if (at === 'Id') part.name = `statement ${printable(text)}`;
    else if (at === 'Acct/Id/IBAN' || at === 'Acct/Id/Othr/Id') part.account = text;
    else if (at === 'Acct/Ccy') part.currency = text;
    else if (at === 'FrToDt/FrDtTm' || at === 'FrToDt/ToDtTm') part.dates = [...part.dates, text];
  }

  #readBalance(at: string, text: string, balance: Bal): void {
    if (at === 'Bal/Tp/CdOrPrtry/Cd') balance.kind = text;
    else if (at === 'Bal/Amt') balance.amount = text;
    else if (at === 'Bal/CdtDbtInd') balance.side = text;
    else if (at === 'Bal/Dt/Dt' || at === 'Bal/Dt/DtTm') balance.date = withoutZone(text);
    else if (at === 'Bal') {
      this.#keepBalance(balance);
      this.#balance = undefined;
    }
  }

  /** The opening balance may carry the day before, so its date says nothing of what the statement covers. */
  #keepBalance({ kind, amount, side, date }: Bal): void {
    const part = this.#part;
    if (part === undefined) return;
    const signed = `${side === 'DBIT' ? '-' : ''}${amount}`;
    if (kind === 'OPBD' || (kind === 'PRCD' && part.opening === undefined))
      Object.assign(part, { opening: signed, openedOn: date.slice(0, 10) });
    if (kind !== 'CLBD') return;
    part.closing = signed;
    if (date !== '') part.dates = [...part.dates, date];
  }

  #readEntry(at: string, text: string, entry: Entry): void {
    const { details } = entry;
    if (at === 'Ntry/Sts' || at === 'Ntry/Sts/Cd') entry.status ||= text;
    else if (/^Ntry\/BookgDt\/Dt(?:Tm)?$/.test(at)) entry.bookedOn = withoutZone(text);
    else if (/^Ntry\/ValDt\/Dt(?:Tm)?$/.test(at)) entry.valueOn = withoutZone(text);
    else if (at === 'Ntry/NtryDtls/Btch/NbOfTxs') entry.count = text;
    else if (at === 'Ntry/NtryDtls/TxDtls') {
      if (this.#detail !== undefined) details.push(this.#detail);
      this.#detail = undefined;
    } else if (at === 'Ntry') {
      this.#keepEntry(entry);
      this.#entry = undefined;
    } else if (this.#detail !== undefined)
      this.#readDetail(at.slice('Ntry/NtryDtls/TxDtls/'.length), text, this.#detail);
    else this.#readDetail(at.slice('Ntry/'.length), text, entry);
  }

  #readDetail(at: string, text: string, detail: Detail): void {
    if (at === 'Amt' || (at === 'AmtDtls/TxAmt/Amt' && detail.amount === '')) {
      detail.amount = text;
      detail.currency = this.#currency;
    } else if (at === 'CdtDbtInd') detail.side = text;
    else if (at === 'Refs/EndToEndId') detail.endToEndId = text;
    else if (at === 'AcctSvcrRef' || at === 'Refs/AcctSvcrRef') detail.bankReference = text;
    else if (/^RltdPties\/CdtrAcct\/Id\/(?:IBAN|Othr\/Id)$/.test(at)) detail.account = text;
    else if (/^RltdPties\/Cdtr\/(?:Pty\/)?Nm$/.test(at)) detail.name = text;
    else if (/^RtrInf\/Rsn\/(?:Cd|Prtry)$/.test(at)) detail.texts.push(`RETURN ${text}`);
    else if (TEXTS.test(at) && text !== '') detail.texts.push(text);
  }

  #keepEntry(entry: Entry): void {
    const { details, count, status, bookedOn, valueOn } = entry;
    const split = isSplit(entry) ? details : [];
    const [only, second] = details;
    const single = second === undefined ? only : undefined;
    const whole = split.length > 1 ? split : [{ ...entry, ...joined(entry, single) }];
    for (const each of whole) {
      this.#count += 1;
      const texts = [...each.texts, ...(split.length > 1 ? entry.texts : [])];
      // One row for several payments says of each what it is called.
      const others =
        split.length > 1 || single !== undefined
          ? []
          : details.flatMap((one) => [idOf(one.endToEndId), ...one.texts]);
      const all = [...texts, ...others].filter((text) => text !== '');
      const row: BankEntry = {
        ...{ bookedOn, valueOn, amount: each.amount, currency: each.currency || entry.currency },
        side: sideOf(each.side || entry.side),
        ...{ account: each.account, name: each.name },
        // A bank cuts long texts into pieces, also within a word.
        ...{ narration: all.join(' '), details: all.join('') },
        ...{ endToEndId: each.endToEndId, bankReference: each.bankReference || entry.bankReference },
        status: status === 'BOOK' ? '' : status,
        count: split.length > 1 ? '' : count || (details.length > 1 ? String(details.length) : ''),
      };
      this.#rows.push(rowOf(this.#count, row));
    }
  }
}

/** What the bank and the payer write about an entry or a payment of it. */
const TEXTS =
  /^(?:AddtlNtryInf|AddtlTxInf|RmtInf\/Ustrd|RmtInf\/Strd\/CdtrRefInf\/Ref|RmtInf\/Strd\/AddtlRmtInf|NtryRef|Refs\/(?:InstrId|TxId|PmtInfId|MsgId|UETR))$/;

/** An entry with one payment: the entry has the amount, the payment says whose it is. */
function joined(entry: Entry, single: Detail | undefined): Partial<Detail> {
  if (single === undefined) return {};
  const { endToEndId, bankReference, account, name, texts } = single;
  return {
    ...{ endToEndId, account, name, texts: [...entry.texts, ...texts] },
    bankReference: bankReference || entry.bankReference,
  };
}

/** A day of XML may have a zone: `2026-11-20+01:00`. */
function withoutZone(text: string): string {
  return text.replace(/^(\d{4}-\d{2}-\d{2})(?:Z|[+-]\d{2}:\d{2})$/, '$1');
}

function sideOf(indicator: string): BankEntry['side'] {
  if (indicator === 'DBIT') return 'D';
  return indicator === 'CRDT' ? 'C' : '';
}

/** All payments of the entry have amounts in its currency, and they add up to it. */
function isSplit({ details, amount, currency, side }: Entry): boolean {
  if (details.length < 2) return false;
  let sum = 0n;
  for (const each of details) {
    const size = millionthsOf(each.amount);
    if (size === undefined || size < 0n || each.currency !== currency) return false;
    sum += (each.side || side) === side ? size : -size;
  }
  return sum === millionthsOf(amount);
}
