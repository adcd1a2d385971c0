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
  /** By secret key and id. */
  readonly #subAccounts = new Map<string, Account>();
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

  /** Opens a merchant's account under the account of a secret key. */
  openSubAccount(secretKey: string, id: string, owner: Owner): Account {
    const opened = this.#create(owner);
    this.#subAccounts.set(`${secretKey} ${id}`, opened);
    return opened;
  }

  /** The key may no longer act for the sub-account. */
  closeSubAccount(secretKey: string, id: string): void {
    this.#subAccounts.delete(`${secretKey} ${id}`);
  }

  /** True for a merchant's account under another one. */
  protected isSubAccount(account: Account): boolean {
    return [...this.#subAccounts.values()].includes(account);
  }

  /** Returns the account that a call is for: that of the secret key, or the named one under it if the key may act for it. */
  protected accountOf(secretKey: string, subAccount?: string): Account | undefined {
    const main = this.#accounts.get(secretKey);
    return subAccount === undefined || main === undefined ? main : this.#subAccounts.get(`${secretKey} ${subAccount}`);
  }

  /** Most providers read JSON. */
  protected parse(text: string): unknown {
    return text === "" ? null : JSON.parse(text);
  }
}
