/** Of all rows of one stage: CPU of payfile, of PostgreSQL, and of what else runs for the benchmark (the service). */
export interface StageCost {
  readonly ms: number;
  readonly cpuMs: number;
  readonly serverMs: number;
  readonly besideMs: number;
  /** Of all that ran on the machine. */
  readonly machineMs: number;
  readonly requests: number;
}

interface WorkResult {
  readonly ms: number;
  readonly rows?: number;
  readonly requests?: number;
  /** CPU of the measured part for each of its rows or requests, µs. */
  readonly cpuEach?: number;
  readonly stages?: Readonly<Record<string, number>>;
  readonly costs?: Readonly<Record<string, StageCost>>;
  readonly note?: string;
}

/** What a work prints as its last line, for the runner to read. */
export interface Result extends WorkResult {
  readonly peakMb: number;
  readonly cpuMs: number;
}

export function printResult(result: WorkResult): void {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const [peakMb, cpuMs] = [Math.round(maxRSS / 1024), Math.round((userCPUTime + systemCPUTime) / 1000)];
  const printed: Result = { ...result, peakMb, cpuMs };
  console.log(JSON.stringify(printed));
}
