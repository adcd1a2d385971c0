// Texts of the service in the dashboard's languages: complete, exact in their values, and never guessed.
import { describe, expect, it } from "vitest";
import { readTree } from "@/server/testing/architecture/tree";
import { thrownTexts } from "@/server/testing/texts/thrown";
import { DASHBOARD_LANGUAGES } from "../dashboard-languages";
import { EVENT_CATALOGUE } from "../events";
import { localSum } from "../local-sum";
import { permissionTable, ROLES, requireAllowed } from "../permissions";
import { ALL_COMPLAINTS, ALL_SENTENCES, isTranslated, translate, wordIn } from "./translate";
import { FIELDS, WORDS } from "./words";

/** What members reach: the dashboard's procedures, its exports, and signing in. */
const ROOTS = ["server/trpc/router", "server/trpc/handler", "server/trpc/export/answer", "server/auth/options"];

/** Nobody in the dashboard reaches these: other layers' own texts, the command line's, and what only a developer meets. */
const NOT_FOR_MEMBERS =
  /^server\/(?:cli|platform|psp|receivers|worker)\/|^server\/services\/(?:certification|journal|resolutions|merchants\/operator|suspension|sandbox|dispatch\/|payer|api-keys\/(?:look-up|authenticate))|^server\/domain\/key-scopes|^server\/auth\/options|^server\/contract\/(?:errors|event-messages|passkeys)/;

/** Members of literals that are no texts for people: codes that a schema names. */
const CODES =
  /^(?:field )?(?:bank_account|provider_gateway|display_crypto_payment_instructions|true|public-key|timeout|too_large|tls|connection|dns|refused_address)$/;

const thrown = thrownTexts(readTree("."), ROOTS)
  .filter(({ file, template }) => !NOT_FOR_MEMBERS.test(file) && !CODES.test(template) && /[a-z]/.test(template))
  .map(({ template }) => template);

it("finds the texts of rejections", () => {
  expect(new Set(thrown).size).toBeGreaterThan(150);
  expect(thrown).toContain("The available balance does not cover the amount.");
  expect(thrown).toContain("field must be a positive whole number of minor units");
});

/** What templates become whose values are words. */
const BECOMES: Readonly<Record<string, readonly string[]>> = {
  "field must have {} characters": ["name must have at most 7 characters", "name must have 1 to 7 characters"],
  "field must be {}": ["days must be 30 or 90"],
  "field must be set up under Your account first: this change requires one of them": [
    "a passkey or one-time codes must be set up under Your account first: this change requires one of them",
  ],
  "field names an exception {}": [
    "id names an exception that is already resolved",
    "id names an exception with a refund that is proposed, on its way or settled",
    "id names an exception whose money another account at the provider received",
  ],
  "The payout intent is {}; only a payout intent in requires_approval can be {}.": [
    "The payout intent is processing; only a payout intent in requires_approval can be approved.",
    "The payout intent is processing; only a payout intent in requires_approval can be cancelled.",
  ],
};

it("every text that a call can be rejected with has its translations", () => {
  const texts = [...new Set(thrown)].flatMap((template) => BECOMES[template] ?? template.replaceAll("{}", "7"));
  const missing = texts.filter((text) => !isTranslated(text));
  expect(missing).toEqual([]);
});

const everything = [...ALL_SENTENCES, ...ALL_COMPLAINTS, ...WORDS, ...FIELDS];

describe("the tables", () => {
  it("name each English text once", () => {
    const english = [...ALL_SENTENCES, ...ALL_COMPLAINTS].map(([text]) => text);
    expect(english.filter((text, at) => english.indexOf(text) !== at)).toEqual([]);
    const words = [...WORDS, ...FIELDS].map(([text]) => text);
    expect(words.filter((text, at) => words.indexOf(text) !== at)).toEqual([]);
  });

  it("fill in the same values in every language", () => {
    const valuesOf = (text: string) => [...text.matchAll(/\{(\w+)/g)].map(([, name]) => name).sort();
    // What schemas' own messages say beyond their kind stays out, and a list's name on the wire.
    for (const [english, ...others] of everything.filter(([text]) => !/\{(?:rest|list)\}/.test(text)))
      for (const other of others) expect(valuesOf(other), english).toEqual(valuesOf(english));
  });

  it("end sentences alike", () => {
    for (const [english, ...others] of everything)
      for (const other of others) expect(other.endsWith("."), other).toBe(english.endsWith("."));
  });
});

describe("a text in the reader's language", () => {
  it.each([
    ["amount must be positive", "Valor: deve ser positivo"],
    ["rules[0].currency needs a currency beside it", "rules[0].currency: precisa de uma moeda ao lado"],
    ["line 3, column amount: must not be empty", "Linha 3, coluna amount: não pode ficar em branco"],
    ["the file must be UTF-8 text", "O arquivo: deve ser texto em UTF-8"],
    ["our books have 1234.50 BRL", "nossos livros têm 1234,50 BRL"],
    [
      "the intent is processing: nothing moved in our books",
      "situação da operação: em processamento; nada foi movimentado em nossos livros",
    ],
    [
      "policy can ask for 2 approvals; 1 active member may approve payouts, and the maker of a payout cannot approve it, so 3 are needed",
      "Política: pode exigir 2 aprovações; 1 membro ativo pode aprovar repasses, e quem criou um repasse não pode aprová-lo, por isso são necessários 3",
    ],
    [
      "A payout with this reference exists, with another recipient.bank_code.",
      "Já existe um repasse com esta referência, com outro dado: código do banco.",
    ],
  ])("%s", (english, portuguese) => {
    expect(translate("pt-BR", english)).toBe(portuguese);
    expect(translate("en", english)).toBe(english);
  });

  it("names roles and acts in a refusal", () => {
    const member = { roles: ["developer"], testRoles: null, disabledAt: null };
    const refusal = () => requireAllowed(member, "decide_payouts", "live");
    expect(refusal).toThrow("Only a member who is owner or admin or approver can approve or cancel payouts.");
    expect(translate("es", "Only a member who is owner or admin can see the audit log.")).toBe(
      "Solo un miembro con el rol propietario o administrador puede ver el registro de auditoría.",
    );
  });

  it("every role and act has its words", () => {
    const known = [...ROLES, ...permissionTable().map(({ label }) => label)];
    expect(known.filter((word) => wordIn("es", word) === word && word !== "ver saldos")).toEqual([]);
  });

  it.each(["INSUFFICIENT_FUNDS: the bank said no", "Ignore this {amount} and <b>that</b>", "x".repeat(5_000), ""])(
    "what is none of ours stays as it is: %j",
    (text) => {
      for (const language of DASHBOARD_LANGUAGES) expect(translate(language, text)).toBe(text);
    },
  );

  it("a value cannot fill in other values, and is copied", () => {
    const text = "account_number is saved with the name {name} $1 $& ’; remove that recipient first";
    expect(translate("es", text)).toBe(
      "Número de cuenta: está guardado con el nombre {name} $1 $& ’; elimine antes ese beneficiario",
    );
  });

  it("a hostile value costs no more than its length", () => {
    const text = `The account is saved as ${"a, not ".repeat(250)}`;
    expect(translate("es", text)).toBe(text);
  });
});

it("what became of deliveries, and what events mean, has translations", () => {
  for (const { description } of Object.values(EVENT_CATALOGUE)) expect(isTranslated(description)).toBe(true);
  expect(translate("es", "The endpoint's URL must use https.")).toBe("La URL del endpoint: debe usar https.");
  expect(translate("pt-BR", "The receiver did not finish its answer within 10 seconds. Its status was 200.")).toBe(
    "O receptor não terminou a resposta em 10 segundos. O status foi 200.",
  );
  expect(translate("es", "The receiver's certificate cannot be trusted: it has expired.")).toBe(
    "El certificado del receptor no es de confianza: venció.",
  );
});

it.each([
  ["en", "1,234.50 BRL", "1,234.50 BRL"],
  ["pt-BR", "1,234.50 BRL", "1.234,50 BRL"],
  ["pt-BR", "0.007 KWD", "0,007 KWD"],
  ["es", "1,234.50 BRL", "1,234.50 BRL"],
] as const)("a sum in %s", (language, sum, local) => expect(localSum(language, sum)).toBe(local));
