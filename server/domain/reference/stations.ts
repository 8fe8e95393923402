// Railway stations have IATA codes too, on tickets that combine train and flight. No airport has one of these codes.
const stations = new Set(
  (
    'QKL QKU QPP QDU QLJ QGV QFB ZMB ZMU ZRB ZWS ZAQ ZTZ ZPF ZNV ZSG ZXS QJZ QQS QQK QQM QQN QQP QQR QQU QQW ' +
    'XDB XPG XYD XRF XIZ XZN XOP XWG XHK XJY XDT XPJ XSH ZFJ ZFQ XZI XAX XLZ ZYR ZWE ZGK ZYA QRH ZYH ZYU ZYZ ' +
    'ZDH ZDJ ZLP ZIN ZJC ZTK ZHF QDL XWC XVQ GKE XDH ZDL ZIU ZJI ZKB QLS QGL ZHI XIT XXM XEW XWK ' +
    'QXG QYX QWU ZIQ ZPR XER XDS ZLN XOC XTI ZYN ZFV ZRD ZTF ZRP ZYP'
  ).split(' '),
)

/** Call it only for a code that no airport has. */
export const isStation = (code: string): boolean => /^[QXZ]/.test(code) && stations.has(code)
