// Complaints about a field of members, settings, exceptions and keys: they follow its name. English, Brazilian Portuguese, Spanish.
import type { Sentences } from "./sentence";

export const COMPLAINTS_OF_OBJECTS: Sentences = [
  ["must be a time of day such as 21:30", "deve ser um horário como 21:30", "debe ser una hora como 21:30"],
  [
    "must begin and end at different times",
    "devem começar e terminar em horários diferentes",
    "deben empezar y terminar a horas distintas",
  ],
  ["must name at least one type", "deve indicar ao menos um tipo", "debe indicar al menos un tipo"],
  [
    "must be a method code such as BR_PIX",
    "deve ser o código de um meio de pagamento, como BR_PIX",
    "debe ser el código de un medio de pago, como BR_PIX",
  ],
  [
    "must have 5 to 64 letters, digits, spaces, dots, slashes or hyphens",
    "deve ter de 5 a 64 letras, dígitos, espaços, pontos, barras ou hifens",
    "debe tener de 5 a 64 letras, dígitos, espacios, puntos, barras o guiones",
  ],
  [
    "must be a list of event types, or null",
    "deve ser uma lista de tipos de evento, ou null",
    "debe ser una lista de tipos de evento, o null",
  ],
  ["must be enabled or paused", "deve ser enabled ou paused", "debe ser enabled o paused"],
  [
    "must name at least one event type; null subscribes to all",
    "deve indicar ao menos um tipo de evento; null assina todos",
    "debe indicar al menos un tipo de evento; null suscribe a todos",
  ],
  [
    "must name each event type once",
    "deve indicar cada tipo de evento uma vez",
    "debe indicar cada tipo de evento una vez",
  ],
  ["must be in the future", "deve estar no futuro", "debe estar en el futuro"],
  [
    "must be CIDRs such as 203.0.113.0/24, 203.0.113.7/32 or 2001:db8::/48",
    "devem ser CIDRs como 203.0.113.0/24, 203.0.113.7/32 ou 2001:db8::/48",
    "deben ser CIDR como 203.0.113.0/24, 203.0.113.7/32 o 2001:db8::/48",
  ],
  [
    "must contain 1 to {most} networks; omit them for all",
    "devem ser de 1 a {most} redes; omita-as para todas",
    "deben ser de 1 a {most} redes; omítalas para todas",
  ],
  [
    "must contain a scope; omit them for all",
    "devem ter ao menos um escopo; omita-os para todos",
    "deben tener al menos un alcance; omítalos para todos",
  ],
  ["must be from 0 seconds to 7 days", "deve ser de 0 segundo a 7 dias", "debe ser de 0 segundos a 7 días"],
  [
    "has ended or was already replaced; create a new key",
    "terminou ou já foi substituída; crie uma nova chave",
    "terminó o ya fue reemplazada; cree una clave nueva",
  ],
  [
    "cannot be proposed: another proposal is open; confirm or reject it first",
    "não é possível propor: há outra proposta em aberto; confirme-a ou rejeite-a antes",
    "no se puede proponer: hay otra propuesta abierta; confírmela o rechácela antes",
  ],
  [
    "names {what:words} that differs from what was proposed; reject it, and propose it again",
    "o registro difere do que foi proposto ({what}); rejeite-o e proponha de novo",
    "el registro difiere de lo que se propuso ({what}); rechácelo y vuelva a proponerlo",
  ],
  [
    "names a callback that another process has just tried to apply",
    "outro processo acaba de tentar aplicar este callback",
    "otro proceso acaba de intentar aplicar este callback",
  ],
  [
    "names a callback that is still being retried",
    "este callback ainda está sendo tentado de novo",
    "este callback todavía se está reintentando",
  ],
  [
    "names a callback that was handed over to the cell that its merchant is in: apply it there",
    "este callback foi entregue à célula em que o lojista está: aplique-o lá",
    "este callback se entregó a la celda en la que está el comercio: aplíquelo allí",
  ],
  ["names a callback that was already applied", "este callback já foi aplicado", "este callback ya se aplicó"],
  [
    "must name a member of the exception's merchant",
    "deve indicar um membro do lojista da exceção",
    "debe indicar un miembro del comercio de la excepción",
  ],
  [
    "must name an active member who decides on exceptions",
    "deve indicar um membro ativo que decide sobre exceções",
    "debe indicar un miembro activo que decide sobre excepciones",
  ],
  [
    "names an exception that belongs to no merchant",
    "esta exceção não pertence a nenhum lojista",
    "esta excepción no pertenece a ningún comercio",
  ],
  ["names an exception that is already resolved", "esta exceção já está resolvida", "esta excepción ya está resuelta"],
  [
    "names an exception whose money is in suspense; settle it instead",
    "o dinheiro desta exceção está em conta transitória; decida sobre ele",
    "el dinero de esta excepción está en cuenta transitoria; decida sobre él",
  ],
  [
    "names an exception whose money is part of a refund; reject the refund or wait for its end",
    "há um reembolso do dinheiro desta exceção; rejeite o reembolso ou espere que termine",
    "hay un reembolso del dinero de esta excepción; rechace el reembolso o espere a que termine",
  ],
  [
    "names an exception without money in suspense",
    "esta exceção não tem dinheiro em conta transitória",
    "esta excepción no tiene dinero en cuenta transitoria",
  ],
  [
    "names an exception without a payment's money that its provider could send back",
    "esta exceção não tem dinheiro de um pagamento que o provedor possa devolver",
    "esta excepción no tiene dinero de un pago que el proveedor pueda devolver",
  ],
  [
    "names an exception whose money another account at the provider received",
    "outra conta no provedor recebeu o dinheiro desta exceção",
    "otra cuenta en el proveedor recibió el dinero de esta excepción",
  ],
  [
    "names an exception with a refund that is proposed, on its way or settled",
    "esta exceção tem um reembolso proposto, a caminho ou concluído",
    "esta excepción tiene un reembolso propuesto, en camino o concluido",
  ],
  [
    "must not be recovered: the payout's hold covers it; restore it after the payout has ended",
    "não pode ser recuperado: a retenção do repasse o cobre; restaure-o depois que o repasse terminar",
    "no se puede recuperar: la retención del desembolso lo cubre; restáurelo cuando el desembolso haya terminado",
  ],
  [
    "must not be restored: the books have the return of this money already",
    "não pode ser restaurado: os livros já têm a devolução deste dinheiro",
    "no se puede restaurar: los libros ya tienen la devolución de este dinero",
  ],
  ["names a refund that is already {state:words}", "este reembolso já está {state}", "este reembolso ya está {state}"],
  [
    "names a proposal to change other terms than are in effect; reject it",
    "esta proposta altera condições que já não estão em vigor; rejeite-a",
    "esta propuesta cambia condiciones que ya no están en vigor; rechácela",
  ],
  [
    "must be hold or refund; only the operator lets late payments be credited",
    "deve ser hold ou refund; só o operador permite creditar pagamentos atrasados",
    "debe ser hold o refund; solo el operador permite acreditar pagos tardíos",
  ],
  ["are in effect already", "já estão em vigor", "ya están en vigor"],
  [
    "already belongs to a member of this merchant",
    "já é de um membro deste lojista",
    "ya es de un miembro de este comercio",
  ],
  ["must be an email address", "deve ser um endereço de e-mail", "debe ser una dirección de correo"],
  [
    "must have at most 64 letters, digits, spaces and . ' - characters, and begin with a letter or digit",
    "deve ter no máximo 64 letras, dígitos, espaços e os caracteres . ' -, e começar com uma letra ou um dígito",
    "debe tener como máximo 64 letras, dígitos, espacios y los caracteres . ' -, y empezar con una letra o un dígito",
  ],
  [
    "is too easy to guess: it is common, repeats itself, or resembles your address or your merchant's name",
    "é fácil demais de adivinhar: é comum, repete-se ou lembra o seu endereço ou o nome do lojista",
    "es demasiado fácil de adivinar: es común, se repite o se parece a su dirección o al nombre del comercio",
  ],
  ["is not your current password", "não é a sua senha atual", "no es su contraseña actual"],
  [
    "must differ from your current password",
    "deve ser diferente da sua senha atual",
    "debe ser distinta de su contraseña actual",
  ],
  [
    "is the name of another of your views of this list",
    "outra visão sua desta lista já tem este nome",
    "otra vista suya de esta lista ya tiene este nombre",
  ],
  ["must be an IANA name or null", "deve ser um nome da IANA ou null", "debe ser un nombre de la IANA o null"],
  [
    "must be an IANA name such as America/Sao_Paulo",
    "deve ser um nome da IANA, como America/Sao_Paulo",
    "debe ser un nombre de la IANA, como America/Sao_Paulo",
  ],
  [
    "must be # and six hexadecimal digits, such as #1b7f5c",
    "deve ser # e seis dígitos hexadecimais, como #1b7f5c",
    "debe ser # y seis dígitos hexadecimales, como #1b7f5c",
  ],
  [
    "must be a PNG picture of at most {kilobytes} kB and {width} × {height} pixels",
    "deve ser uma imagem PNG de no máximo {kilobytes} kB e {width} × {height} pixels",
    "debe ser una imagen PNG de como máximo {kilobytes} kB y {width} × {height} píxeles",
  ],
  [
    "is not enabled for this merchant",
    "não está disponível para este lojista",
    "no está disponible para este comercio",
  ],
  [
    "cannot be added: there are {most} already; delete one first",
    "não é possível adicionar: já há {most}; exclua um antes",
    "no se puede agregar: ya hay {most}; elimine uno antes",
  ],
  [
    "cannot be mail: SMTP_URL is not set",
    "não pode ser e-mail: SMTP_URL não está definido",
    "no puede ser correo: SMTP_URL no está definido",
  ],
  [
    "must not include security for mail: these notices are always mailed",
    "não pode incluir segurança por e-mail: estes avisos sempre são enviados por e-mail",
    "no puede incluir seguridad por correo: estos avisos siempre se envían por correo",
  ],
];
