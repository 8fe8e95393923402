// Tables and columns are snake_case in the database and camelCase in the code. A statement is renamed once, when it is
// compiled, so that its rows need no conversion. Raw SQL keeps its own names.
import {
  AliasNode,
  ColumnNode,
  IdentifierNode,
  type OperationNode,
  OperationNodeTransformer,
  ReferenceNode,
  type RootOperationNode,
  SelectionNode,
} from 'kysely'
import { columnOf } from './columns.ts'

class SnakeCase extends OperationNodeTransformer {
  protected override transformIdentifier(node: IdentifierNode): IdentifierNode {
    const name = columnOf(node.name)
    return name === node.name ? node : IdentifierNode.create(name)
  }
}
const snakeCase = new SnakeCase()

/** Only the columns that the statement returns are camelCase. Inner names, such as those of a subquery, are the database's. */
export function inDatabaseNames(root: RootOperationNode): RootOperationNode {
  const renamed = snakeCase.transformNode(root)
  if ('selections' in root && root.selections) {
    return { ...renamed, selections: root.selections.map(returned) } as RootOperationNode
  }
  if ('returning' in root && root.returning) {
    const returning = { ...root.returning, selections: root.returning.selections.map(returned) }
    return { ...renamed, returning } as RootOperationNode
  }
  return renamed
}

function returned({ selection }: SelectionNode): SelectionNode {
  const node = snakeCase.transformNode<OperationNode>(selection) as SelectionNode['selection']
  if (AliasNode.is(selection)) {
    const alias = AliasNode.create((node as AliasNode).node, selection.alias)
    return SelectionNode.create(alias)
  }
  const name = nameOf(selection)
  if (name === undefined || name === columnOf(name)) return SelectionNode.create(node)
  return SelectionNode.create(AliasNode.create(node, IdentifierNode.create(name)))
}

function nameOf(selection: OperationNode): string | undefined {
  const column = ReferenceNode.is(selection) ? selection.column : selection
  return ColumnNode.is(column) ? column.column.name : undefined
}
