// A released tarball, as an operator runs it: unpacked, with the packages of production, and no build.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PaymentIntentResource } from "@/server/contract/payment-intents";
import { createPayment, simulate } from "../rest/calls";
import { createApi, fetchValidator } from "../support/api";
import { expect, test } from "../support/fixtures";
import { createMerchant } from "../support/merchant";
import { startService } from "../support/service";
import { PROJECT_ROOT, serviceVariables } from "../support/service-process";
import { tier } from "../support/tier";

/** Runs npm in the folder; returns its whole output. */
const npm = (cwd: string, ...words: readonly string[]) =>
  execFileSync("sh", ["-c", 'exec npm "$@" 2>&1', "npm", ...words], {
    cwd,
    env: serviceVariables({}),
    encoding: "utf8",
  });

// Installing the packages takes longer than all other specs of the deployment.
if (tier === "deep")
  test("a released tarball starts after `npm ci --omit=dev` without a build, and takes a payment", async () => {
    test.setTimeout(1_200_000);
    const printed = npm(PROJECT_ROOT, "run", "-s", "release").trim().split("\n").at(-1) ?? "";
    const folder = mkdtempSync(join(tmpdir(), "sluice-release-"));
    chmodSync(folder, 0o755);
    try {
      execFileSync("tar", ["-xzf", join(PROJECT_ROOT, printed)], { cwd: folder });
      const root = join(folder, "sluice");
      expect(npm(root, "ci", "--omit=dev")).not.toMatch(/EBADENGINE|npm error/);
      const built = () => statSync(join(root, ".next/BUILD_ID")).mtimeMs;
      const before = built();
      const service = await startService({ root });
      try {
        expect(built()).toBe(before);
        const { keys } = await createMerchant(service);
        const api = createApi(service.baseUrl, keys.test, await fetchValidator(service.baseUrl));
        const { id } = await createPayment(api);
        expect((await simulate<PaymentIntentResource>(api, id, "succeeded")).status).toBe("succeeded");
        expect(await service.stop()).toBe(0);
      } finally {
        await service.dispose();
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
