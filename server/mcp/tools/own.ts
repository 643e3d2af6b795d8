import { hasOwnTool, type OwnToolOperation } from '../../operation/operation.ts';
import { OPERATIONS } from '../../operations/registry.ts';
import { form, type Tool } from '../tool.ts';
import { formTerms, operationAnswer } from './operation-answer.ts';

/** The tool of an operation that has one of its own: it takes the body as it is. */
const ownTool = (operation: OwnToolOperation): Tool => {
  const { tool, body, judge, scopes } = operation;
  return {
    name: tool.name,
    title: tool.title,
    description: () => tool.description,
    when: `${tool.when}: {tool}.`,
    readOnly: !scopes.includes('write'),
    forms: [
      form({
        ...formTerms(operation),
        schema: body,
        unjudged: judge === 'operation',
        answer: (call, question) => operationAnswer(operation, call, question),
      }),
    ],
  };
};

/** Those of all operations that declare one. */
export const OWN_TOOLS: readonly Tool[] = OPERATIONS.filter(hasOwnTool).map(ownTool);
