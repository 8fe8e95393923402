// Generates the mutants of a source file: one comparison flipped, one check or statement removed, one number off by one.
// A line whose mutants all survive is not tested.
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
  [ts.SyntaxKind.AsteriskToken]: '/',
}

/** Either operand alone: a test that notices a missing one notices every other mistake in the operator too. */
const logical = new Set([ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken])

const swappedMethods = new Map([
  ['min', 'max'],
  ['max', 'min'],
  ['some', 'every'],
  ['every', 'some'],
])
/** Without the call, the rest still has a value of the same type. */
const removableMethods = new Set([
  'filter',
  'sort',
  'toSorted',
  'toReversed',
  'trim',
  'toLowerCase',
  'toUpperCase',
  'normalize',
])

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
  else if (ts.isExpressionStatement(node) || ts.isThrowStatement(node) || isEarlyReturn(node))
    replace(node, ';')
  else if (ts.isCallExpression(node)) mutateCall(node, file, replace)
  else if (ts.isNumericLiteral(node) && !isPropertyName(node)) replace(node, `(${node.getText(file)} + 1)`)
  else if (node.kind === ts.SyntaxKind.TrueKeyword) replace(node, 'false')
  else if (node.kind === ts.SyntaxKind.FalseKeyword) replace(node, 'true')
}

function mutateBinary(node: ts.BinaryExpression, file: ts.SourceFile, replace: Replace): void {
  const { left, right, operatorToken } = node
  const swapped = swappedOperators[operatorToken.kind]
  if (swapped) replace(operatorToken, swapped)
  const [a, b] = [left.getText(file), right.getText(file)]
  if (logical.has(operatorToken.kind)) for (const operand of [a, b]) replace(node, `(${operand})`)
  if (ordered.has(operatorToken.kind)) replace(node, `${b} ${operatorToken.getText(file)} ${a}`)
  const isSum = operatorToken.kind === ts.SyntaxKind.PlusToken
  if (isSum && ![left, right].some(isText)) replace(operatorToken, '-')
}

function mutateCall({ expression }: ts.CallExpression, file: ts.SourceFile, replace: Replace): void {
  if (!ts.isPropertyAccessExpression(expression)) return
  const { name, expression: object, parent } = expression
  const swapped = swappedMethods.get(name.text)
  if (swapped && (name.text.length > 3 || object.getText(file) === 'Math')) replace(name, swapped)
  if (removableMethods.has(name.text)) replace(parent, object.getText(file))
}

/** A return that ends the function before its last statement, usually a check. */
function isEarlyReturn(node: ts.Node): boolean {
  if (!ts.isReturnStatement(node)) return false
  const branch = ts.isBlock(node.parent) ? node.parent : node
  return ts.isIfStatement(branch.parent)
}

const isPropertyName = (node: ts.Node) => ts.isPropertyAssignment(node.parent) && node.parent.name === node

const isText = (node: ts.Node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)

/** The condition of a statement or expression, except one with an operator, which has separate mutants. */
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
