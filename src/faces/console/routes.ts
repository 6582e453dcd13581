/**
 * All routes of the console. What is not in this table does not exist.
 */
import { batchList } from './batches/list.ts';
import { batchEvents } from './batches/live.ts';
import { pauseBatch, resumeBatch, sendBatch, settleBatch } from './batches/work.ts';
import { refusedPage } from './page/errors.ts';
import { enter, leave, left } from './people/enter.ts';
import { assetNamed } from './server/assets.ts';
import type { Route } from './server/route.ts';

export const ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/assets/:name',
    may: 'anyone',
    handle: async ({ part }) => assetNamed(part('name')) ?? refusedPage('no_such_page'),
  },
  { method: 'GET', path: '/enter/:ticket', may: 'anyone', handle: enter },
  { method: 'POST', path: '/leave', may: 'look', handle: leave },
  { method: 'GET', path: '/left', may: 'anyone', handle: left },
  { method: 'GET', path: '/', may: 'look', handle: batchList },
  { method: 'GET', path: '/batches/:batch/events', may: 'look', handle: batchEvents },
  { method: 'POST', path: '/batches/:batch/send', may: 'send', handle: sendBatch },
  { method: 'POST', path: '/batches/:batch/settle', may: 'send', handle: settleBatch },
  { method: 'POST', path: '/batches/:batch/pause', may: 'send', handle: pauseBatch },
  { method: 'POST', path: '/batches/:batch/resume', may: 'send', handle: resumeBatch },
];
