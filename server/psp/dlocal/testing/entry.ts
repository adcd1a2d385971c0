// One account at dLocal for the adapter's tests.
import { type DlocalConfig, dlocalConfig } from "../config";

export const OWNER = { login: "sak223k2wdksdl2", transKey: "fm12O7G9", secretKey: "S3cr3t0123456789abcdefABCDEF-_+/" };

/** Returns the configuration of an entry that offers everything in the test environment. */
export function configAt(url: string, changes: object = {}): DlocalConfig {
  const keys = { account: OWNER.login, trans_key: OWNER.transKey, secret_key: OWNER.secretKey };
  const entry = { name: "dlocal", type: "dlocal", ...keys, environments: ["test"], payment_methods: "all" };
  return dlocalConfig.parse({ ...entry, url, ...changes });
}
