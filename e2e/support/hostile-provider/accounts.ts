// A fake of a provider with several accounts, each with its own books and keys, and webhooks that a test delivers in any order.
import { HostileProvider } from "./server";

export abstract class ProviderWithAccounts<
  Account extends object,
  Owner extends object,
  Event,
  OwnFault extends string,
> extends HostileProvider<OwnFault> {
  /** Webhooks that have not been delivered. */
  readonly outbox: Event[] = [];
  readonly #accounts = new Map<string, Account>();
  readonly #create: (owner: Owner) => Account;
  readonly #isAccount: (account: Account | Owner) => account is Account;

  constructor(type: new (owner: Owner) => Account) {
    super();
    this.#create = (owner) => new type(owner);
    this.#isAccount = (account): account is Account => account instanceof type;
  }

  /** Opens an account for a secret key; two keys can share one account. */
  open(secretKey: string, account: Account | Owner): Account {
    const opened = this.#isAccount(account) ? account : this.#create(account);
    this.#accounts.set(secretKey, opened);
    return opened;
  }

  /** Returns the account of a secret key. */
  protected accountOf(secretKey: string): Account | undefined {
    return this.#accounts.get(secretKey);
  }

  /** Most providers read JSON. */
  protected parse(text: string): unknown {
    return text === "" ? null : JSON.parse(text);
  }
}
