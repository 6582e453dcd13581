/**
 * All routes of the console. What is not in this table does not exist.
 */
import { approve } from './batches/approval.ts';
import { batchPage } from './batches/batch.ts';

import { decideHeld, heldPage } from './batches/held.ts';
import { historyPage } from './batches/history.ts';
import { batchList } from './batches/list.ts';
import { planPage as batchPlan } from './batches/plan.ts';
import { pauseBatch, priceBatch, resumeBatch, sendBatch, settleBatch } from './batches/work.ts';
import { sayColumns } from './files/columns.ts';
import { filePage } from './files/file.ts';
import { corrected, fixFile } from './files/fix.ts';
import { lists } from './files/lists.ts';
import { plan } from './files/plan.ts';
import { discard, forgetReading, newBatch, upload, uploadSample } from './files/upload.ts';
import { examine, health } from './health/health.ts';
import { refusedPage } from './page/errors.ts';
import { enter, leave, left } from './people/enter.ts';
import { enterPage, enterSigned, ownTicket, registerPage, ticketPage } from './people/passkeys.ts';
import { passkeyRemoved, peoplePage, ticketMade } from './people/people.ts';
import { batchReports } from './reports/batch-reports.ts';
import { sandboxStatement, template } from './reports/made-file.ts';
import { reports } from './reports/periods.ts';
import { fullReport, maskedReport } from './reports/report-file.ts';
import { rowPage } from './rows/row.ts';
import {
  acceptRow,
  correctRow,
  reissueRow,
  releaseRow,
  ruleOnRow,
  shownAccount,
  withdrawRow,
} from './rows/row-actions.ts';
import { assetNamed } from './server/assets.ts';
import type { Route } from './server/route.ts';
import { accept, bring as bringStatement, statementPage } from './statements/statement.ts';

export const ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/assets/:name',
    may: 'anyone',
    handle: async ({ part }) => assetNamed(part('name')) ?? refusedPage('no_such_page'),
  },
  { method: 'GET', path: '/enter/:ticket', may: 'anyone', handle: enter },
  { method: 'GET', path: '/enter', may: 'anyone', handle: enterPage },
  { method: 'POST', path: '/enter', may: 'anyone', handle: enterSigned },
  { method: 'GET', path: '/passkeys/:ticket', may: 'anyone', handle: ticketPage },
  { method: 'POST', path: '/passkeys/:ticket', may: 'anyone', handle: registerPage },
  { method: 'POST', path: '/passkey', may: 'administer', handle: ownTicket },
  { method: 'GET', path: '/people', may: 'look', handle: peoplePage },
  { method: 'POST', path: '/people/:person/ticket', may: 'administer', handle: ticketMade },
  { method: 'POST', path: '/people/passkeys/:credential/remove', may: 'administer', handle: passkeyRemoved },
  { method: 'POST', path: '/leave', may: 'look', handle: leave },
  { method: 'GET', path: '/left', may: 'anyone', handle: left },
  { method: 'GET', path: '/', may: 'look', handle: batchList },
  { method: 'GET', path: '/batches/:batch', may: 'look', handle: batchPage },
  { method: 'GET', path: '/batches/:batch/plan', may: 'look', handle: batchPlan },
  { method: 'POST', path: '/batches/:batch/approval', may: 'approve', handle: approve },
  { method: 'GET', path: '/batches/:batch/held', may: 'look', handle: heldPage },
  { method: 'POST', path: '/batches/:batch/held', may: 'approve', handle: decideHeld },
  { method: 'POST', path: '/batches/:batch/price', may: 'price', handle: priceBatch },
  { method: 'POST', path: '/batches/:batch/send', may: 'send', handle: sendBatch },
  { method: 'POST', path: '/batches/:batch/settle', may: 'send', handle: settleBatch },
  { method: 'POST', path: '/batches/:batch/pause', may: 'send', handle: pauseBatch },
  { method: 'POST', path: '/batches/:batch/resume', may: 'send', handle: resumeBatch },

  { method: 'GET', path: '/new', may: 'bring', handle: newBatch },
  { method: 'POST', path: '/readings/:name/forget', may: 'bring', handle: forgetReading },
  { method: 'GET', path: '/lists', may: 'look', handle: lists },
  { method: 'POST', path: '/uploads', may: 'bring', handle: upload },
  { method: 'POST', path: '/uploads/sample', may: 'bring', handle: uploadSample },
  { method: 'GET', path: '/uploads/:upload', may: 'bring', handle: filePage },
  { method: 'POST', path: '/uploads/:upload/answers', may: 'bring', handle: fixFile },
  { method: 'POST', path: '/uploads/:upload/columns', may: 'bring', handle: sayColumns },
  { method: 'GET', path: '/uploads/:upload/corrected.xlsx', may: 'bring', handle: corrected },
  { method: 'POST', path: '/uploads/:upload/plan', may: 'bring', handle: plan },
  { method: 'POST', path: '/uploads/:upload/remove', may: 'bring', handle: discard },

  { method: 'GET', path: '/batches/:batch/history', may: 'look', handle: historyPage },
  { method: 'GET', path: '/batches/:batch/reports', may: 'look', handle: batchReports },
  { method: 'GET', path: '/report', may: 'look', handle: maskedReport },
  { method: 'POST', path: '/report', may: 'see_accounts', handle: fullReport },
  { method: 'GET', path: '/reports', may: 'look', handle: reports },
  { method: 'GET', path: '/template.xlsx', may: 'look', handle: template },
  { method: 'GET', path: '/sandbox-statement.csv', may: 'look', handle: sandboxStatement },
  { method: 'GET', path: '/health', may: 'look', handle: health },
  { method: 'POST', path: '/health/:work', may: 'look', handle: examine },

  { method: 'GET', path: '/batches/:batch/statement', may: 'look', handle: statementPage },
  { method: 'POST', path: '/batches/:batch/statement', may: 'rule', handle: bringStatement },
  { method: 'POST', path: '/batches/:batch/statement/accept', may: 'rule', handle: accept },

  { method: 'GET', path: '/batches/:batch/rows/:row', may: 'look', handle: rowPage },
  { method: 'POST', path: '/batches/:batch/rows/:row/release', may: 'approve', handle: releaseRow },
  { method: 'POST', path: '/batches/:batch/rows/:row/withdraw', may: 'approve', handle: withdrawRow },
  { method: 'POST', path: '/batches/:batch/rows/:row/reissue', may: 'bring', handle: reissueRow },
  { method: 'POST', path: '/batches/:batch/rows/:row/correct', may: 'bring', handle: correctRow },
  { method: 'POST', path: '/batches/:batch/rows/:row/accept', may: 'rule', handle: acceptRow },
  { method: 'POST', path: '/batches/:batch/rows/:row/ruling', may: 'rule', handle: ruleOnRow },
  { method: 'POST', path: '/batches/:batch/rows/:row/account', may: 'see_accounts', handle: shownAccount },
];
