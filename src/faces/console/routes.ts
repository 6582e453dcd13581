/**
 * All routes of the console. What is not in this table does not exist.
 */
import { batchList } from './batches/list.ts';
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
];
