/** What a work prints as its last line, for the runner to read. */
interface WorkResult {
  readonly ms: number;
  readonly rows?: number;
  readonly requests?: number;
  readonly stages?: Readonly<Record<string, number>>;
  readonly note?: string;
}

export function printResult(result: WorkResult): void {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const [peakMb, cpuMs] = [Math.round(maxRSS / 1024), Math.round((userCPUTime + systemCPUTime) / 1000)];
  console.log(JSON.stringify({ ...result, peakMb, cpuMs }));
}
