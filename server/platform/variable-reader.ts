// Reads configuration variables one by one; a blank one counts as not set. Faults name variables, never values.
import { BlockList, isIP } from "node:net";
import { parseNetworks } from "./client-address";
import { type OpenIdSetting, openIdSetting } from "./openid-setting";
import { secretsSetting } from "./secrets-setting";
import { type TracingSetting, tracingSetting } from "./tracing/setting";
import { parseUrl } from "./url";

export type Variables = Readonly<Record<string, string | undefined>>;

/** Collects the faults of what it reads. */
export class VariableReader {
  readonly faults: string[] = [];

  constructor(private readonly source: Variables) {}

  text(name: string): string | null {
    const value = this.source[name]?.trim();
    return value ? value : null;
  }

  integer(name: string, fallback: number, minimum: number, maximum: number): number {
    const text = this.text(name);
    if (text === null) return fallback;
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    this.faults.push(
      `${name} must be a whole number from ${minimum} to ${maximum}; omit it for the default, ${fallback}`,
    );
    return fallback;
  }

  choice<Choice extends string>(name: string, fallback: Choice, choices: readonly Choice[]): Choice {
    const text = this.text(name);
    const value = text === null ? fallback : choices.find((choice) => choice === text);
    if (value !== undefined) return value;
    this.faults.push(`${name} must be one of ${choices.join(", ")}; omit it for the default, ${fallback}`);
    return fallback;
  }

  url(name: string, isRight: (url: URL) => boolean, expected: string): string | null {
    const text = this.text(name);
    if (text === null) return null;
    const url = parseUrl(text);
    if (!url || !isRight(url)) this.faults.push(`${name} must be ${expected}`);
    return text;
  }

  flag(name: string): boolean {
    return this.choice(name, "false", ["true", "false"]) === "true";
  }

  /** A text that nobody guesses; null if it is not set. */
  token(name: string): string | null {
    const text = this.text(name);
    if (text !== null && text.length < 32)
      this.faults.push(`${name} must have 32 characters or more (openssl rand -hex 32)`);
    return text;
  }

  /** Null unless both variables are set; one alone is a fault. */
  screener(): { readonly url: string; readonly secret: string } | null {
    const isWeb = ({ protocol }: URL) => /^https?:$/.test(protocol);
    const url = this.url("SCREENING_URL", isWeb, "an address such as https://screening.example.com");
    const secret = this.text("SCREENING_SECRET");
    if (url === null && secret === null) return null;
    if (url === null) this.faults.push("SCREENING_SECRET is set without SCREENING_URL: set both");
    if (secret === null || secret.length < 32)
      this.faults.push("SCREENING_SECRET must have 32 characters or more: it is required with SCREENING_URL");
    return url === null || secret === null ? null : { url, secret };
  }

  openId(): OpenIdSetting | null {
    const isWeb = ({ protocol, search, hash }: URL) => /^https?:$/.test(protocol) && search === "" && hash === "";
    const { setting, faults } = openIdSetting({
      issuer: this.url("OIDC_ISSUER", isWeb, "the issuer of an OpenID provider, such as https://login.example.com"),
      clientId: this.text("OIDC_CLIENT_ID"),
      clientSecret: this.text("OIDC_CLIENT_SECRET"),
      name: this.text("OIDC_NAME"),
      isOnlyWay: this.flag("OIDC_ONLY"),
      alwaysTwoFactors: this.choice("OIDC_SECOND_FACTOR", "stated", ["stated", "always"]) === "always",
    });
    this.faults.push(...faults);
    return setting;
  }

  /** By OpenTelemetry's own variables. */
  tracing(allowInsecure: boolean): TracingSetting | null {
    const { setting, faults } = tracingSetting((name) => this.text(name), allowInsecure);
    this.faults.push(...faults);
    return setting;
  }

  address(name: string, fallback: string): string {
    const text = this.text(name) ?? fallback;
    if (isIP(text) === 0) this.faults.push(`${name} must be an IP address; omit it for the default, ${fallback}`);
    return text;
  }

  networks(name: string): BlockList {
    const cidrs = this.text(name)?.split(",") ?? [];
    const networks = parseNetworks(cidrs.map((cidr) => cidr.trim()));
    if (!networks) this.faults.push(`${name} must be networks such as 10.0.0.0/8,::1/128, separated by commas`);
    return networks ?? new BlockList();
  }

  key(name: string): Buffer | null {
    const [key, ...more] = this.secrets(name);
    if (more.length > 0) this.faults.push(`${name} has several entries; it must be one key, which never changes`);
    return key ?? null;
  }

  /** Reads secrets from the variable, or from the file that `<name>_FILE` names. */
  secretsOrFile(variable: string): Buffer[] {
    const { name, value, faults } = secretsSetting(variable, this.text(variable), this.text(`${variable}_FILE`));
    this.faults.push(...faults);
    return this.secrets(name, value);
  }

  secrets(name: string, value = this.text(name)): Buffer[] {
    const texts = value?.split(",") ?? [];
    const secrets = texts.map((text) => Buffer.from(text.trim(), "base64"));
    texts.forEach((text, index) => {
      if (/^[A-Za-z0-9+/]{43}=$/.test(text.trim())) return;
      this.faults.push(
        `${name}, entry ${index + 1} of ${texts.length}, must be 32 bytes in base64 (openssl rand -base64 32)`,
      );
    });
    return secrets;
  }
}
