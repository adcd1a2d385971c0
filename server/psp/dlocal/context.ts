// What the calls about payments share.
import type { AccountGuard } from "../account-guard";
import type { DlocalClient } from "./client";
import type { UsableRows } from "./rows";

export interface DlocalContext {
  readonly client: DlocalClient;
  readonly guard: AccountGuard;
  readonly rows: UsableRows;
  /** True when payers may be redirected to plain http, as in development. */
  readonly allowHttp: boolean;
}
