// What the calls about payments share.
import type { AccountGuard } from "../account-guard";
import type { DlocalClient } from "./client";

export interface DlocalContext {
  readonly client: DlocalClient;
  readonly guard: AccountGuard;
  /** True when payers may be redirected to plain http, as in development. */
  readonly allowHttp: boolean;
}
