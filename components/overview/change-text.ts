/** "12.5 % more than before", from minor units; null if there is nothing to compare with. */
export function changeText(amount: string, before: string): string | null {
  const [now, past] = [BigInt(amount), BigInt(before)];
  if (past === 0n) return null;
  const permille = ((now - past) * 1_000n) / past;
  if (permille === 0n) return "as much as before";
  const size = permille < 0n ? -permille : permille;
  return `${size / 10n}.${size % 10n} % ${permille < 0n ? "less" : "more"} than before`;
}

/** A share as percent with one digit, rounded down so that 100.0 % means all; null of none. */
export function percentText(part: number, whole: number): string | null {
  if (whole === 0) return null;
  const permille = Math.floor((part * 1_000) / whole);
  return `${Math.floor(permille / 10)}.${permille % 10} %`;
}
