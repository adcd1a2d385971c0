// The corpus of URLs that must never be called: every known spelling of an address of our own network.
import { METADATA_IPV4, RESERVED_IPV4, RESERVED_IPV6 } from "./reserved-addresses";

type Quad = readonly [number, number, number, number];

function quad(address: string): Quad {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  return [a, b, c, d];
}

const hex = (value: number, width = 1) => value.toString(16).padStart(width, "0");
const octal = (value: number) => `0${value.toString(8)}`;
/** Replaces the digits of `text` with those of another alphabet, whose zero is `zero`. */
const digits = (text: string, zero: number) =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
const circled = (text: string) =>
  text.replaceAll(/\d/g, (digit) => (digit === "0" ? "⓪" : String.fromCodePoint(0x2460 + Number(digit) - 1)));
const percent = (text: string) => [...text].map((character) => `%${hex(character.charCodeAt(0), 2)}`).join("");

/** Returns the hosts that a URL parser reads as the IPv4 address. */
function ipv4Hosts(address: string): string[] {
  const [a, b, c, d] = quad(address);
  const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  return [
    address,
    `${address}.`,
    String(whole),
    `0x${hex(whole)}`,
    `0X${hex(whole).toUpperCase()}`,
    octal(whole),
    `0000${octal(whole)}`,
    [a, b, c, d].map((part) => `0x${hex(part)}`).join("."),
    [a, b, c, d].map(octal).join("."),
    [a, b, c, d].map((part) => `000${octal(part)}`).join("."),
    `${a}.0x${hex(b)}.${octal(c)}.${d}`,
    `${a}.${b}.${(c << 8) | d}`,
    `${a}.${(b << 16) | (c << 8) | d}`,
    `${octal(a)}.0x${hex((b << 16) | (c << 8) | d)}`,
    circled(address),
    digits(address, 0xff10),
    digits(address, 0x1d7ce),
    address.replaceAll(".", "。"),
    address.replaceAll(".", "．"),
    percent(address),
    address.replaceAll(".", "%2e"),
  ];
}

/** Returns the IPv4 address embedded in IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP. */
function embeddingHosts(address: string): string[] {
  const [a, b, c, d] = quad(address);
  const [high, low] = [hex((a << 8) | b), hex((c << 8) | d)];
  const [flippedHigh, flippedLow] = [hex(((a << 8) | b) ^ 0xffff), hex(((c << 8) | d) ^ 0xffff)];
  return [
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[0:0:0:0:0:FFFF:${high}:${low}]`,
    `[::${address}]`,
    `[::ffff:0:${address}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${high}:${low}]`,
    `[2002:${high}:${low}::]`,
    `[2002:${high}:${low}::1]`,
    `[2001:0:5ef5:79fd:0:59d:${flippedHigh}:${flippedLow}]`,
    `[fe80::5efe:${high}:${low}]`,
  ];
}

function ipv6Hosts(address: string): string[] {
  const [head = "", tail] = address.split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const written = [...groups(head), ...groups(tail ?? "")];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - written.length }, () => "0");
  const all = [...groups(head), ...zeros, ...groups(tail ?? "")];
  return [
    `[${address}]`,
    `[${address.toUpperCase()}]`,
    `[${all.join(":")}]`,
    `[${all.map((group) => group.padStart(4, "0")).join(":")}]`,
  ];
}

const LOCAL_NAMES = [
  "localhost",
  "LOCALHOST",
  "localhost.",
  "a.localhost",
  "ⓛocalhost",
  "%6c%6f%63alhost",
  "ｌｏｃａｌｈｏｓｔ",
  "loc\u00adalhost",
  "metadata",
  "metadata.google.internal",
  "metadata.google.internal.",
  "instance-data",
  "kubernetes",
  "postgres",
  "kubernetes.default.svc.cluster.local",
  "printer.local",
  "db.internal",
  "host.docker.internal",
  "router",
  "com",
];

const FORBIDDEN_PORTS = [
  0, 1, 7, 19, 21, 22, 23, 25, 53, 110, 111, 135, 139, 143, 389, 444, 445, 465, 587, 993, 1080, 1433, 2049, 2375, 2379,
  3000, 3128, 3306, 3389, 5000, 5432, 5672, 5900, 6379, 6443, 8000, 8081, 8500, 9000, 9090, 9092, 9200, 10250, 11211,
  15672, 27017, 50070, 65535,
];

const OTHER_SCHEMES = [
  "file:///etc/passwd",
  "ftp://example.com/",
  "gopher://example.com:70/_",
  "dict://example.com:11211/stat",
  "ldap://example.com/",
  "data:text/plain,x",
  "javascript:alert(1)",
  "ws://example.com/",
  "wss://example.com/",
  "jar:http://example.com!/",
  "blob:https://example.com/x",
  "unix:/var/run/docker.sock",
  "about:blank",
  "tel:1",
  "http+unix://%2Fvar%2Frun%2Fdocker.sock/",
  "ssh://example.com",
  "view-source:https://example.com/",
  "mailto:a@b.c",
];

const NOT_URLS = [
  "",
  " ",
  "/",
  "//",
  "//example.com/",
  "example.com",
  "example.com/hooks",
  "https",
  "https:",
  "https:/",
  "https://",
  "https:///",
  "https:///example.com/",
  "https:example.com",
  "https:/example.com",
  "https:\\\\example.com",
  "https://exa mple.com/",
  " https://example.com/",
  "https://example.com/ ",
  "https://example.com/\n",
  "\thttps://example.com/",
  "ht\ntps://example.com/",
  "https://exam\tple.com/",
  "https://example.com/\0",
  "https://example.com\\@127.0.0.1/",
  "https://[::1/",
  "https://::1/",
  "https://[::1%25lo]/",
  "https://[fe80::1%eth0]/",
  "https://[1.2.3.4]/",
  "https://256.1.1.1/",
  "https://1.2.3.4.5/",
  "https://127.0.0.1:99999/",
  "https://example.com:/x y",
  "https://example.com:http/",
  "https://%00/",
  "https://exa%00mple.com/",
  "https://example.com%2f@127.0.0.1/",
  "https://?x",
  "https://#x",
  "https://example.com./",
  "https://example.com/#fragment",
  "https://example.com/#",
  `https://example.com/${"x".repeat(2_048)}`,
];

const USERINFO = [
  "@",
  ":@",
  "user@",
  "user:secret@",
  "example.com@",
  "example.com:443@",
  "%40@",
  "a@b@",
  "example.com%2f@",
];

function withHosts(hosts: readonly string[]): string[] {
  return hosts.map((host) => `https://${host}/hooks`);
}

/** Returns at least 1,100 different URLs that must not be saved or called if loopback is not allowed. */
export function refusedUrls(): string[] {
  const edges = [...RESERVED_IPV4.flat(), ...METADATA_IPV4];
  const loopback = ["127.0.0.1", "127.1", "2130706433", "[::1]", "localhost", "169.254.169.254", "10.0.0.1"];
  return [
    ...new Set([
      ...withHosts(edges.flatMap(ipv4Hosts)),
      ...withHosts(edges.flatMap(embeddingHosts)),
      ...withHosts(RESERVED_IPV6.flat().flatMap(ipv6Hosts)),
      ...withHosts(LOCAL_NAMES),
      ...loopback.flatMap((host) => ["http", "HTTPS", "hTTp"].map((scheme) => `${scheme}://${host}:8443/`)),
      ...FORBIDDEN_PORTS.flatMap((port) => [`https://example.com:${port}/`, `https://8.8.8.8:${port}/`]),
      ...USERINFO.flatMap((userinfo) => ["example.com", "127.0.0.1"].map((host) => `https://${userinfo}${host}/`)),
      ...OTHER_SCHEMES,
      ...NOT_URLS,
    ]),
  ];
}
