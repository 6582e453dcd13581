/**
 * Long work that a person began in the console: asking for names and fees, sending, settling. It belongs to the console's
 * process and not to the window: who opens the page later sees how far it is. There is one piece of work at a time for
 * each batch or file.
 */
import {
  afterMove,
  beginStage,
  countInFlight,
  type InFlight,
  inFlightOf,
  type News,
  type ProgressEvent,
  type Stage,
  type StageProgress,
  seenElsewhere,
} from '../payfile.ts';
import { type Html, NOTHING } from '../views/html.ts';

export interface Job {
  /** What it is about: `batch:3`, `file:ab12`. */
  readonly about: string;
  /** What is done, in the words of a page: `Sending`. */
  readonly doing: string;
  readonly by: string;
  readonly since: number;
  readonly stages: readonly StageProgress[];
  /** Why it waits just now. */
  readonly waiting: string | undefined;
  /** Something to know; the newest last. */
  readonly warnings: readonly string[];
  /** It waits for outcomes and sends nothing: other work ends it and takes its place. */
  readonly onlyAsks: boolean;
  readonly end: JobEnd | undefined;
}

export type JobEnd =
  /** What a page says of it. What the work gave back may be large, and is not kept. */
  { readonly kind: 'done'; readonly said: Html } | { readonly kind: 'failed'; readonly error: unknown };

export type Listener = (event: ProgressEvent | News) => void;

interface Dialogue {
  readonly signal: AbortSignal;
  readonly onProgress: Listener;
}

/**
 * `onlyAsks`: to be called where the work sends nothing more. A transfer may be on its way for an hour, and nobody has to
 * wait for it before a doubt is ruled on.
 */
export type Work = (dialogue: Dialogue, onlyAsks: () => void) => Promise<Html | undefined>;

export interface Jobs {
  /** False: something is being done with it already, and more than asking. */
  begin(what: Pick<Job, 'about' | 'doing' | 'by'>, work: Work): boolean;
  /** Ends work that only asks, so that the batch is free for what a person does now. */
  makeWay(about: string): Promise<void>;
  /** The one under way, or the last one that ended. */
  about(what: string): Job | undefined;
  /** All under way. */
  underWay(): readonly Job[];
  /** What all of it has on the wire. */
  inFlight(): InFlight;
  /** When the work under way has ended. */
  ended(about: string): Promise<void>;
  /** Ends the work in order and waits for it. */
  stop(): Promise<void>;
}

const KEPT_MAX = 200;
const WARNINGS_MAX = 20;

export function createJobs(now: () => number): Jobs {
  const jobs = new Map<string, Job>();
  const atWork = new Map<string, AtWork>();
  const stopping = new AbortController();
  return {
    begin(what, work) {
      const { about } = what;
      const last = jobs.get(about);
      if (stopping.signal.aborted || (isUnderWay(last) && last?.onlyAsks !== true)) return false;
      jobs.delete(about);
      forgetOldest(jobs);
      const nothing = { stages: [], waiting: undefined, warnings: [], onlyAsks: false, end: undefined };
      jobs.set(about, { ...what, since: now(), ...nothing });
      const before = atWork.get(about);
      const ending = new AbortController();
      const flight = countInFlight();
      const mine: AtWork = { ending, inFlight: flight.now, working: Promise.resolve() };
      atWork.set(about, mine);
      // Work whose place was taken has no page any more.
      const change = (next: (job: Job) => Job) => {
        const job = jobs.get(about);
        if (job === undefined || atWork.get(about) !== mine) return;
        jobs.set(about, next(job));
      };
      const dialogue: Dialogue = {
        signal: AbortSignal.any([stopping.signal, ending.signal]),
        onProgress: (event) => {
          flight.hear(event);
          change((job) => after(job, event));
        },
      };
      const onlyAsks = () => change((job) => ({ ...job, onlyAsks: true }));
      const ended = (end: JobEnd) => change((job) => ({ ...job, waiting: undefined, end }));
      mine.working = afterThat(before, () => work(dialogue, onlyAsks), dialogue.signal)
        .then((said) => ended({ kind: 'done', said: said ?? NOTHING }))
        .catch((error: unknown) => ended({ kind: 'failed', error }))
        .finally(() => atWork.get(about) === mine && atWork.delete(about));
      return true;
    },
    async makeWay(about) {
      if (jobs.get(about)?.onlyAsks === true) await endOf(atWork.get(about));
    },
    about: (what) => jobs.get(what),
    underWay: () => [...jobs.values()].filter(isUnderWay),
    inFlight: () => inFlightOf([...atWork.values()].map(({ inFlight }) => inFlight())),
    async ended(about) {
      await atWork.get(about)?.working;
    },
    async stop() {
      stopping.abort(new Error('The console is ended'));
      await Promise.allSettled([...atWork.values()].map(({ working }) => working));
    },
  };
}

interface AtWork {
  readonly ending: AbortController;
  readonly inFlight: () => InFlight;
  working: Promise<unknown>;
}

async function endOf(work: AtWork | undefined): Promise<void> {
  work?.ending.abort(new Error('Other work takes its place'));
  await work?.working;
}

/** The work before gives the batch's lease back first. */
async function afterThat<Result>(
  before: AtWork | undefined,
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  if (before === undefined) return work();
  await endOf(before);
  signal.throwIfAborted();
  return work();
}

export function isUnderWay(job: Job | undefined): boolean {
  return job !== undefined && job.end === undefined;
}

/** Work that goes on is never forgotten. */
function forgetOldest(jobs: Map<string, Job>): void {
  for (const [about, { end }] of jobs) {
    if (jobs.size < KEPT_MAX) return;
    if (end !== undefined) jobs.delete(about);
  }
}

function after(job: Job, event: ProgressEvent | News): Job {
  switch (event.kind) {
    case 'stage':
      return { ...job, waiting: undefined, stages: [...job.stages, beginStage(event.stage, event.total)] };
    case 'read':
      return withStage(job, 'read', (stage) => ({ ...stage, done: event.rows }));
    case 'moved':
      return {
        ...job,
        waiting: undefined,
        stages: job.stages.map((stage) => afterMove(stage, event.from, event.payout)),
      };
    case 'elsewhere':
      return {
        ...job,
        waiting: undefined,
        stages: job.stages.map((stage, index) =>
          index === job.stages.length - 1 ? seenElsewhere(stage, event.outcomes) : stage,
        ),
      };
    case 'waiting':
      return { ...job, waiting: event.reason };
    case 'warning':
      return { ...job, warnings: [...job.warnings, event.text].slice(-WARNINGS_MAX) };
    default:
      return job;
  }
}

function withStage(job: Job, name: Stage, change: (stage: StageProgress) => StageProgress): Job {
  const has = job.stages.some(({ stage }) => stage === name);
  const stages = has ? job.stages : [...job.stages, beginStage(name)];
  return { ...job, stages: stages.map((each) => (each.stage === name ? change(each) : each)) };
}
