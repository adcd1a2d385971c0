/** A set of bounded size that forgets the oldest entries: it has the latest `size` ones, and at most twice as many. */
export class RecentSet {
  private recent = new Set<string>();
  private older = new Set<string>();

  constructor(private readonly size: number) {}

  add(entry: string): void {
    if (this.recent.size >= this.size) {
      this.older = this.recent;
      this.recent = new Set();
    }
    this.recent.add(entry);
  }

  has(entry: string): boolean {
    return this.recent.has(entry) || this.older.has(entry);
  }
}
