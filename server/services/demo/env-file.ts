import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DemoMerchant } from "./demo-merchant";
import type { ScenarioName } from "./scenarios";

const MERCHANT_LINE = /^(?:export )?SLUICE_MERCHANT_ID=(\S+)$/m;

export interface DemoFiles {
  readonly envFile: string;
  /** True if a demo was begun and its file not written: interrupted, or in progress. */
  isBegun(): boolean;
  /** The merchant that the file names, or null without a file. */
  namedMerchant(): string | null;
  /** Removes the file of a former database and marks the new demo as begun, to detect an interruption. */
  begin(): void;
  /** Writes the file atomically, readable only by its owner, then removes the mark. */
  finish(baseUrl: string, demo: DemoMerchant): void;
}

function linesOf(
  baseUrl: string,
  { merchantId, publicKey, secretKey, owner, finance, approver }: DemoMerchant,
): string {
  return `# The demo merchant of this service, in the test environment. Use it in a shell: . <this file>
export SLUICE_BASE_URL=${baseUrl}
export SLUICE_MERCHANT_ID=${merchantId}
export SLUICE_PUBLIC_KEY=${publicKey}
export SLUICE_SECRET_KEY=${secretKey}
export SLUICE_OWNER_EMAIL=${owner.email}
export SLUICE_OWNER_PASSWORD=${owner.password}
export SLUICE_FINANCE_EMAIL=${finance.email}
export SLUICE_FINANCE_PASSWORD=${finance.password}
export SLUICE_APPROVER_EMAIL=${approver.email}
export SLUICE_APPROVER_PASSWORD=${approver.password}
`;
}

/**
 * Returns the files of a scenario in a data folder: `<scenario>.env` with its credentials, `<scenario>.begun` as the
 * mark.
 */
export function demoFiles(dataDir: string, scenario: ScenarioName): DemoFiles {
  const envFile = join(dataDir, `${scenario}.env`);
  const mark = join(dataDir, `${scenario}.begun`);
  return {
    envFile,
    isBegun: () => existsSync(mark) && !existsSync(envFile),
    namedMerchant: () =>
      existsSync(envFile) ? (MERCHANT_LINE.exec(readFileSync(envFile, "utf8"))?.[1] ?? null) : null,
    begin() {
      rmSync(envFile, { force: true });
      writeFileSync(mark, "");
    },
    finish(baseUrl, demo) {
      mkdirSync(dataDir, { recursive: true, mode: 0o711 });
      const draft = `${envFile}.${process.pid}`;
      writeFileSync(draft, linesOf(baseUrl, demo), { mode: 0o600 });
      chmodSync(draft, 0o600);
      renameSync(draft, envFile);
      rmSync(mark, { force: true });
    },
  };
}

/** The file with the keys of the demo merchant under DATA_DIR; null without a demo. */
export function demoKeysFile(dataDir: string): string | null {
  const file = join(dataDir, "demo.env");
  return existsSync(file) ? file : null;
}
