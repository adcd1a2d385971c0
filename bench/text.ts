// Numbers and tables as text, for the reports.

/** A table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** A number with this many decimal places; a dash for null. */
export function digits(value: number | null, places: number): string {
  return value === null ? "–" : value.toFixed(places);
}

/** A rounded number with separators of thousands. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString("en");
}

/** Names with their values, separated by commas. */
export function listed(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${typeof value === "number" ? value.toLocaleString("en") : value}`)
    .join(", ");
}
