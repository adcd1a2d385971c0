// Rejections of payouts, batches and recipients, and what a file's lines lack. English, Brazilian Portuguese, Spanish.
import type { Sentences } from "./sentence";

export const REJECTIONS_OF_PAYOUTS: Sentences = [
  [
    "You made this payout, its API key or its saved recipient; another member must approve it.",
    "Você criou este repasse, a chave de API dele ou o favorecido salvo; outro membro deve aprová-lo.",
    "Usted creó este desembolso, su clave de API o su beneficiario guardado; otro miembro debe aprobarlo.",
  ],
  [
    "This payout is older than your authority to approve; another member must approve it.",
    "Este repasse é anterior à sua permissão para aprovar; outro membro deve aprová-lo.",
    "Este desembolso es anterior a su permiso para aprobar; otro miembro debe aprobarlo.",
  ],
  [
    "You have already approved this payout; another member must give the next approval.",
    "Você já aprovou este repasse; outro membro deve dar a próxima aprovação.",
    "Usted ya aprobó este desembolso; otro miembro debe dar la siguiente aprobación.",
  ],
  [
    "Only a member can approve a payout.",
    "Só um membro pode aprovar um repasse.",
    "Solo un miembro puede aprobar un desembolso.",
  ],
  [
    "Only an active member whose role allows it can approve payouts.",
    "Só um membro ativo cuja função permita pode aprovar repasses.",
    "Solo un miembro activo cuyo rol lo permita puede aprobar desembolsos.",
  ],
  [
    "The payout intent is {status:words}; only a payout intent in requires_approval can be approved.",
    "A situação do repasse é: {status}. Só um repasse que aguarda aprovação pode ser aprovado.",
    "El estado del desembolso es: {status}. Solo se puede aprobar un desembolso que espera aprobación.",
  ],
  [
    "The payout intent is {status:words}; only a payout intent in requires_approval can be cancelled.",
    "A situação do repasse é: {status}. Só um repasse que aguarda aprovação pode ser cancelado.",
    "El estado del desembolso es: {status}. Solo se puede cancelar un desembolso que espera aprobación.",
  ],
  [
    "The payout intent is {status:words}, but a provider has reported it; the operator must find out what happened first.",
    "A situação do repasse é: {status}, mas um provedor informou sobre ele; o operador precisa apurar antes o que aconteceu.",
    "El estado del desembolso es: {status}, pero un proveedor informó sobre él; el operador debe averiguar antes qué pasó.",
  ],
  [
    "The payout intent is requires_approval; it must be approved first.",
    "O repasse aguarda aprovação; antes deve ser aprovado.",
    "El desembolso espera aprobación; antes debe aprobarse.",
  ],
  [
    "The payout has changed since it was shown; review and approve it again.",
    "O repasse mudou desde que foi exibido; revise e aprove de novo.",
    "El desembolso cambió desde que se mostró; revíselo y apruébelo de nuevo.",
  ],
  [
    "The payout exceeds a limit of this API key: of one payout, or of its payouts of the day.",
    "O repasse excede um limite desta chave de API: de um repasse, ou dos seus repasses do dia.",
    "El desembolso supera un límite de esta clave de API: de un desembolso, o de sus desembolsos del día.",
  ],
  [
    "The payout exceeds the limit of a recipient's payouts of the day.",
    "O repasse excede o limite dos repasses do dia a um favorecido.",
    "El desembolso supera el límite de los desembolsos del día a un beneficiario.",
  ],
  [
    "The payout exceeds a limit of the merchant: of one payout, or of all payouts of the day.",
    "O repasse excede um limite do lojista: de um repasse, ou de todos os repasses do dia.",
    "El desembolso supera un límite del comercio: de un desembolso, o de todos los desembolsos del día.",
  ],
  [
    "Only a member can decide on a held payout.",
    "Só um membro pode decidir sobre um repasse retido.",
    "Solo un miembro puede decidir sobre un desembolso retenido.",
  ],
  [
    "Screening does not hold this payout, or it was decided on.",
    "A triagem não retém este repasse, ou já houve decisão sobre ele.",
    "La revisión no retiene este desembolso, o ya se decidió sobre él.",
  ],
  [
    "Only a member can save a recipient.",
    "Só um membro pode salvar um favorecido.",
    "Solo un miembro puede guardar un beneficiario.",
  ],
  [
    "There are {most} recipients already; remove one first.",
    "Já há {most} favorecidos; remova um antes.",
    "Ya hay {most} beneficiarios; elimine uno antes.",
  ],
  [
    "Only a member can approve a batch.",
    "Só um membro pode aprovar um lote.",
    "Solo un miembro puede aprobar un lote.",
  ],
  [
    "No payout of the batch awaits your approval.",
    "Nenhum repasse do lote aguarda a sua aprovação.",
    "Ningún desembolso del lote espera su aprobación.",
  ],
  [
    "The batch has changed since it was shown; review it again.",
    "O lote mudou desde que foi exibido; revise-o de novo.",
    "El lote cambió desde que se mostró; revíselo de nuevo.",
  ],
  // The lines of a file.
  [
    "The currency is not one of your currencies.",
    "A moeda não é uma das suas moedas.",
    "La moneda no es una de sus monedas.",
  ],
  [
    "{currency} is not one of your currencies.",
    "{currency} não é uma das suas moedas.",
    "{currency} no es una de sus monedas.",
  ],
  [
    "The amount must be a number such as 1250.50, with the digits {currency} has.",
    "O valor deve ser um número como 1250.50 (no arquivo, com ponto), sem mais casas decimais do que {currency} tem.",
    "El monto debe ser un número como 1250.50 (en el archivo, con punto), sin más decimales de los que tiene {currency}.",
  ],
  ["The reference is missing.", "Falta a referência.", "Falta la referencia."],
  [
    "The reference must have at most {most} characters.",
    "A referência deve ter no máximo {most} caracteres.",
    "La referencia debe tener como máximo {most} caracteres.",
  ],
  ["The reference must be plain text.", "A referência deve ser texto simples.", "La referencia debe ser texto simple."],
  [
    "No saved recipient has this account at this bank in {currency}.",
    "Nenhum favorecido salvo tem esta conta neste banco em {currency}.",
    "Ningún beneficiario guardado tiene esta cuenta en este banco en {currency}.",
  ],
  [
    "The account is saved as {saved}, not {typed}.",
    "A conta está salva como {saved}, não {typed}.",
    "La cuenta está guardada como {saved}, no {typed}.",
  ],
  [
    "The recipient is new and can be paid from {at}.",
    "O favorecido é novo e pode ser pago a partir de {at}.",
    "El beneficiario es nuevo y se le puede pagar a partir de {at}.",
  ],
  [
    "Line {line} has the same reference.",
    "A linha {line} tem a mesma referência.",
    "La línea {line} tiene la misma referencia.",
  ],
  [
    "A payout with this reference exists, with another {difference:words}.",
    "Já existe um repasse com esta referência, com outro dado: {difference}.",
    "Ya existe un desembolso con esta referencia, con otro dato: {difference}.",
  ],
  ["The available balance does not cover it.", "O saldo disponível não o cobre.", "El saldo disponible no lo cubre."],
  // Why a payout, payment or top-up failed, in our own words.
  ["Not approved within {days} days.", "Não foi aprovado em {days} dias.", "No se aprobó en {days} días."],
  ["Refused before it was sent.", "Recusado antes do envio.", "Rechazado antes del envío."],
  ["Duplicate of an earlier payout.", "Duplicado de um repasse anterior.", "Duplicado de un desembolso anterior."],
  ["No provider accepted the payout.", "Nenhum provedor aceitou o repasse.", "Ningún proveedor aceptó el desembolso."],
  ["No provider accepted the payment.", "Nenhum provedor aceitou o pagamento.", "Ningún proveedor aceptó el pago."],
  ["No provider accepted the top-up.", "Nenhum provedor aceitou a recarga.", "Ningún proveedor aceptó la recarga."],
  ["The provider declined the payout.", "O provedor recusou o repasse.", "El proveedor rechazó el desembolso."],
  ["The provider declined the payment.", "O provedor recusou o pagamento.", "El proveedor rechazó el pago."],
  ["The customer cancelled the payment.", "O cliente cancelou o pagamento.", "El cliente canceló el pago."],
  [
    "The payment was not completed in time.",
    "O pagamento não foi concluído a tempo.",
    "El pago no se completó a tiempo.",
  ],
  ["The top-up was not paid in time.", "A recarga não foi paga a tempo.", "La recarga no se pagó a tiempo."],
  ["The top-up was paid in part only.", "A recarga foi paga só em parte.", "La recarga se pagó solo en parte."],
  [
    "The provider did not complete the {what:words}; resolved manually.",
    "O provedor não concluiu ({what}); resolvido manualmente.",
    "El proveedor no lo completó ({what}); resuelto manualmente.",
  ],
];
