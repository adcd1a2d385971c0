// Names at the end of a run what failed thousands of lines above.

interface Assertion {
  readonly status: string;
  readonly fullName: string;
  readonly failureMessages?: readonly string[] | null;
}

/** The part of vitest's JSON report that lists failures. */
export interface VitestFailures {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly Assertion[];
  }[];
}

const firstLine = (text: string | undefined) => (text ?? "").split("\n", 1)[0];

/** One line for each failed test, and for each file that failed before its tests; paths relative to `root`. */
export function nameFailures(report: VitestFailures | null, root: string): string[] {
  return (report?.testResults ?? []).flatMap((file) => {
    const path = file.name.startsWith(`${root}/`) ? file.name.slice(root.length + 1) : file.name;
    if (file.status === "failed" && file.assertionResults.length === 0) return [`${path}: ${firstLine(file.message)}`];
    const failed = file.assertionResults.filter(({ status }) => status === "failed");
    return failed.map(
      ({ fullName, failureMessages }) => `${path} › ${fullName}: ${firstLine(failureMessages?.[0] ?? "")}`,
    );
  });
}
