// What exceptions and settlement files say for people. Stored in English, also by earlier releases.
import type { Sentences } from "./sentence";

export const FINDINGS: Sentences = [
  ["the active policy {why:words}", "a política ativa {why}", "la política activa {why}"],
  ["our books have {sum:sum}", "nossos livros têm {sum}", "nuestros libros tienen {sum}"],
  ["a journal entry has booked it", "um lançamento contábil já o registrou", "un asiento contable ya lo registró"],
  [
    "journal entries have booked money of it",
    "lançamentos contábeis já registraram dinheiro dela",
    "asientos contables ya registraron dinero de ella",
  ],
  ["these funds were gone", "esses fundos tinham desaparecido", "esos fondos habían desaparecido"],
  [
    "the line_id of a bank line of its batch has named another line before",
    "o line_id de uma linha bancária do lote já indicou outra linha antes",
    "el line_id de una línea bancaria del lote ya indicó otra línea antes",
  ],
  ["it names no intent", "não indica nenhuma operação", "no indica ninguna operación"],
  [
    "it names no intent, so it is no merchant's",
    "não indica nenhuma operação, por isso não é de nenhum lojista",
    "no indica ninguna operación, por lo que no es de ningún comercio",
  ],
  [
    "there is no such intent of this provider in this environment",
    "este provedor não tem essa operação neste ambiente",
    "este proveedor no tiene esa operación en este entorno",
  ],
  ["the intent is a {kind:words}", "a operação é de outro tipo: {kind}", "la operación es de otro tipo: {kind}"],
  [
    "the intent is {status:words}: nothing moved in our books",
    "situação da operação: {status}; nada foi movimentado em nossos livros",
    "estado de la operación: {status}; nada se movió en nuestros libros",
  ],
  [
    "another line has settled all that moved in our books",
    "outra linha liquidou tudo o que foi movimentado em nossos livros",
    "otra línea liquidó todo lo que se movió en nuestros libros",
  ],
  [
    "its line_id has named another line before",
    "o seu line_id já indicou outra linha antes",
    "su line_id ya indicó otra línea antes",
  ],
  [
    "its batch sums to {owed:sum}, and its bank lines sum to {moved:sum}",
    "o lote soma {owed}, e as linhas do banco somam {moved}",
    "su lote suma {owed}, y sus líneas del banco suman {moved}",
  ],
  [
    "another bank line of its batch was booked by hand",
    "outra linha do banco do mesmo lote foi lançada manualmente",
    "otra línea del banco del mismo lote se registró a mano",
  ],
  ["overpaid", "pago a mais", "pagado de más"],
  ["underpaid", "pago a menos", "pagado de menos"],
  ["expired", "expirado", "vencido"],
  ["more left than was held", "saiu mais do que estava retido", "salió más de lo que estaba retenido"],
  ["A refund came back.", "Um reembolso voltou.", "Un reembolso volvió."],
  [
    "The intent has been {status:words} for a day without a change.",
    "A operação está há um dia sem mudança na situação: {status}.",
    "La operación lleva un día sin cambios en el estado: {status}.",
  ],
  [
    "The payer has acted, and the provider has not reported the result within {hours} hours.",
    "O pagador agiu, e o provedor não informou o resultado em {hours} horas.",
    "El pagador actuó, y el proveedor no informó el resultado en {hours} horas.",
  ],
  [
    "The provider reports settled for another amount than the refund's.",
    "O provedor informa como concluído um valor diferente do reembolso.",
    "El proveedor informa como concluido un monto distinto del reembolso.",
  ],
  [
    "The provider reports returned for another amount than the refund's.",
    "O provedor informa como devolvido um valor diferente do reembolso.",
    "El proveedor informa como devuelto un monto distinto del reembolso.",
  ],
  [
    "The provider had refused the refund, and now reports it settled.",
    "O provedor tinha recusado o reembolso e agora o informa como concluído.",
    "El proveedor había rechazado el reembolso y ahora lo informa como concluido.",
  ],
  [
    "The provider had settled the refund, and now reports it refused.",
    "O provedor tinha concluído o reembolso e agora o informa como recusado.",
    "El proveedor había concluido el reembolso y ahora lo informa como rechazado.",
  ],
  [
    "The provider has not said what became of the refund.",
    "O provedor não informou o que aconteceu com o reembolso.",
    "El proveedor no informó qué pasó con el reembolso.",
  ],
  [
    "The refund was taken for refused, and its provider now reports that it is on its way.",
    "O reembolso era dado como recusado, e o provedor agora informa que está a caminho.",
    "El reembolso se daba por rechazado, y su proveedor informa ahora que está en camino.",
  ],
  [
    "The provider does not know the refund, but may have forgotten it. Sending it again could refund twice.",
    "O provedor não conhece o reembolso, mas pode tê-lo esquecido. Enviá-lo de novo poderia reembolsar duas vezes.",
    "El proveedor no conoce el reembolso, pero puede haberlo olvidado. Enviarlo de nuevo podría reembolsar dos veces.",
  ],
  [
    "The provider does not know the intent, but may have forgotten it. Sending it again could pay twice.",
    "O provedor não conhece a operação, mas pode tê-la esquecido. Enviá-la de novo poderia pagar duas vezes.",
    "El proveedor no conoce la operación, pero puede haberla olvidado. Enviarla de nuevo podría pagar dos veces.",
  ],
  [
    "The provider reports funds, but another provider has the top-up.",
    "O provedor informa fundos, mas a recarga está com outro provedor.",
    "El proveedor informa fondos, pero la recarga la tiene otro proveedor.",
  ],
  [
    "The provider reports that funds were dropped, in a token other than the top-up's.",
    "O provedor informa que fundos desapareceram, em um token diferente do da recarga.",
    "El proveedor informa que desaparecieron fondos, en un token distinto del de la recarga.",
  ],
  [
    "Its provider, {provider}, is no longer configured.",
    "O provedor, {provider}, não está mais configurado.",
    "Su proveedor, {provider}, ya no está configurado.",
  ],
  [
    "Its provider, {provider}, no longer refunds.",
    "O provedor, {provider}, não faz mais reembolsos.",
    "Su proveedor, {provider}, ya no hace reembolsos.",
  ],
  [
    "It was sent to account {account} of {provider}, but {configured} is configured for {present:words}.",
    "Foi enviado à conta {account} de {provider}, mas {configured} está configurado para {present}.",
    "Se envió a la cuenta {account} de {provider}, pero {configured} está configurado para {present}.",
  ],
  [
    "It was sent to another sub-account of {provider} than the payment whose money it returns.",
    "Foi enviado a outra subconta de {provider} que não a do pagamento cujo dinheiro devolve.",
    "Se envió a otra subcuenta de {provider} que la del pago cuyo dinero devuelve.",
  ],
  [
    "It was sent to {first:words} and to {other:words} of {provider}.",
    "Foi enviado a {first} e a {other} de {provider}.",
    "Se envió a {first} y a {other} de {provider}.",
  ],
  ["sub-account {account}", "subconta {account}", "subcuenta {account}"],
  ["no sub-account", "nenhuma subconta", "ninguna subcuenta"],
  [
    "{provider} sends work of its merchants to their sub-accounts, and names none for this merchant.",
    "{provider} envia o trabalho de seus lojistas às subcontas deles e não indica nenhuma para este lojista.",
    "{provider} envía el trabajo de sus comercios a las subcuentas de estos y no indica ninguna para este comercio.",
  ],
  [
    "Its account number cannot be decrypted: the secret that encrypted it is missing.",
    "O número da conta não pode ser decifrado: falta o segredo que o cifrou.",
    "El número de cuenta no se puede descifrar: falta el secreto que lo cifró.",
  ],
  [
    "The screener gives no answer, so the payout is not sent.",
    "O serviço de triagem não responde, por isso o repasse não é enviado.",
    "El servicio de revisión no responde, por lo que el desembolso no se envía.",
  ],
  [
    "Xendit reviews the payout and asks for information by e-mail.",
    "A Xendit analisa o repasse e pede informações por e-mail.",
    "Xendit revisa el desembolso y pide información por correo.",
  ],
  ["the provider is not configured", "o provedor não está configurado", "el proveedor no está configurado"],
  [
    "its digest does not match: the row was edited or forged in the database, or the secret of its digest was removed",
    "o resumo não confere: a linha foi alterada ou forjada no banco de dados, ou o segredo do resumo foi removido",
    "su resumen no coincide: la fila se alteró o falsificó en la base de datos, o se quitó el secreto del resumen",
  ],
  [
    "it has no digest: an older release stored it, or it was inserted by manual SQL",
    "não tem resumo: uma versão anterior o gravou, ou foi inserido por SQL manual",
    "no tiene resumen: lo guardó una versión anterior, o se insertó con SQL manual",
  ],
];
