// What the calls about payments share.
import type { Environment } from "@/server/domain/scope";
import type { AccountGuard } from "../account-guard";
import type { StripeClient } from "./client";

export interface StripeContext {
  readonly client: StripeClient;
  readonly guard: AccountGuard;
  readonly environment: Environment;
  /** True when payers may be redirected to plain http, as in development. */
  readonly allowHttp: boolean;
}
