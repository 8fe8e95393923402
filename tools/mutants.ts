// Generates the mutants of a source file: one comparison flipped, one statement removed, one number off by one. A line
// whose mutants all survive is not tested.
import ts from 'typescript'

export interface Mutant {
  /** The replaced range of the source, and the new text. */
  start: number
  end: number
  text: string
  line: number
  /** For the report: the old text and the new one, on one line. */
  description: string
}

const swappedOperators: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [ts.SyntaxKind.LessThanToken]: '<=',
  [ts.SyntaxKind.LessThanEqualsToken]: '<',
  [ts.SyntaxKind.GreaterThanToken]: '>=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '>',
  [ts.SyntaxKind.AmpersandAmpersandToken]: '||',
  [ts.SyntaxKind.BarBarToken]: '&&',
  [ts.SyntaxKind.AsteriskToken]: '/',
}

/** Operators for which the order of the operands matters. */
const ordered = new Set([ts.SyntaxKind.MinusToken, ts.SyntaxKind.SlashToken, ts.SyntaxKind.PercentToken])

export function mutantsOf(fileName: string, source: string): Mutant[] {
  const file = ts.createSourceFile(fileName, source, ts.ScriptTarget.Latest, true)
  const found: Mutant[] = []
  const replace = (node: ts.Node, text: string) => {
    const [start, end] = [node.getStart(file), node.getEnd()]
    const line = file.getLineAndCharacterOfPosition(start).line + 1
    found.push({
      start,
      end,
      text,
      line,
      description: `${onOneLine(node.getText(file))}  →  ${onOneLine(text)}`,
    })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return
    mutate(node, file, replace)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

type Replace = (node: ts.Node, text: string) => void

function mutate(node: ts.Node, file: ts.SourceFile, replace: Replace): void {
  if (ts.isBinaryExpression(node)) mutateBinary(node, file, replace)
  else if (isCondition(node)) replace(node, `!(${node.getText(file)})`)
  else if (ts.isExpressionStatement(node) || ts.isThrowStatement(node)) replace(node, ';')
  else if (ts.isNumericLiteral(node)) replace(node, `(${node.getText(file)} + 1)`)
  else if (node.kind === ts.SyntaxKind.TrueKeyword) replace(node, 'false')
  else if (node.kind === ts.SyntaxKind.FalseKeyword) replace(node, 'true')
}

function mutateBinary(node: ts.BinaryExpression, file: ts.SourceFile, replace: Replace): void {
  const { left, right, operatorToken } = node
  const swapped = swappedOperators[operatorToken.kind]
  if (swapped) replace(operatorToken, swapped)
  const [a, b] = [left.getText(file), right.getText(file)]
  if (ordered.has(operatorToken.kind)) replace(node, `${b} ${operatorToken.getText(file)} ${a}`)
  const isSum = operatorToken.kind === ts.SyntaxKind.PlusToken
  if (isSum && ![left, right].some(isText)) replace(operatorToken, '-')
}

const isText = (node: ts.Node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)

/** The condition of a statement or expression, except a comparison, whose operator is flipped already. */
function isCondition(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isBinaryExpression(node) || !parent) return false
  if (ts.isIfStatement(parent) || ts.isWhileStatement(parent)) return parent.expression === node
  return ts.isConditionalExpression(parent) && parent.condition === node
}

function onOneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 90 ? `${line.slice(0, 89)}…` : line
}
