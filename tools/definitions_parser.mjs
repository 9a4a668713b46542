// SPDX-License-Identifier: GPL-2.0-or-later
// What tree-sitter's grammars find in the files of a tree: the names that each file declares. Run by
// tools/definitions_check, which compares them with an index.
//
// usage: node tools/definitions_parser.mjs MODULES ROOT <LIST     MODULES: a folder node_modules; LIST: lines "language TAB path"
//
// Prints a line of JSON for each file: {"path", "must": [[name, line]], "may": [[name, line]]}. `must` is what an index
// has to know: declarations of files, types and namespaces. `may` is what it is free to know: what is declared
// inside of functions, parameters, keys of objects, imports, and whatever stands where the grammar is lost.
import {createRequire} from 'node:module';
import {readFileSync} from 'node:fs';
import {createInterface} from 'node:readline';

const [modules, root] = process.argv.slice(2);
const Parser = createRequire(`${modules}/x.js`)('web-tree-sitter');

// --- names of nodes ------------------------------------------------------------------------------

const field = (name) => (node) => [node.childForFieldName(name)];
const child = (...types) => (node) => [node.namedChildren.find((c) => types.includes(c.type))];
const children = (...types) => (node) => node.namedChildren.filter((c) => types.includes(c.type));
const each = (type, inner) => (node) => children(type)(node).flatMap(inner);

/** The name inside a declarator of C++: `int *(*f)(int)` declares f. */
function declared(node) {
  while (node) {
    if (node.type === 'operator_cast') return [node];
    const inner = node.childForFieldName('declarator') ?? node.childForFieldName('name') ??
        (/^(reference|parenthesized)_declarator$/.test(node.type) ? node.namedChildren.at(-1) : null);
    if (!inner) return [node];
    node = inner;
  }
  return [];
}
const hasBody = (node) => node.childForFieldName('body') !== null;
const isFunction = (node) => {
  for (; node; node = node.childForFieldName('declarator') ?? (/^(reference|parenthesized)_declarator$/.test(node.type) ? node.namedChildren.at(-1) : null))
    if (/^(function_declarator|operator_cast)$/.test(node.type)) return true;
  return false;
};
const declarators = (node) => node.childrenForFieldName('declarator').flatMap((d) => isFunction(d) ? [] : declared(d));
const prototypes = (node) => node.childrenForFieldName('declarator').flatMap((d) => isFunction(d) ? declared(d) : []);

/** Ruby's `attr_reader :a, :b` and the like; `define_method(:a)`. */
function symbols(node) {
  const called = node.childForFieldName('method')?.text ?? '';
  if (node.childForFieldName('receiver') || !/^(attr_(reader|writer|accessor)|alias_method|define_method|def_node_(matcher|search))$/.test(called)) return [];
  return node.childForFieldName('arguments')?.namedChildren.filter((c) => c.type === 'simple_symbol') ?? [];
}

// --- languages -----------------------------------------------------------------------------------
// must, may: type of node -> its names. functions: what is declared inside of these is free. A constructor is free: it
// is found by the name of its class. So is a member whose name is in quotes: data.

const script = {
  must: {
    class_declaration: field('name'), abstract_class_declaration: field('name'), interface_declaration: field('name'),
    type_alias_declaration: field('name'), enum_declaration: field('name'), enum_assignment: (n) => [n.childForFieldName('name') ?? n.namedChild(0)],
    enum_body: children('property_identifier', 'string'),
    function_declaration: field('name'), generator_function_declaration: field('name'), function_signature: field('name'),
    method_signature: (n) => n.childForFieldName('name').text === 'constructor' ? [] : [n.childForFieldName('name')], abstract_method_signature: field('name'), public_field_definition: field('name'),
    field_definition: field('property'), internal_module: field('name'), module: field('name'),
    method_definition: (n) => n.parent.type === 'class_body' && n.childForFieldName('name').text !== 'constructor' ? [n.childForFieldName('name')] : [],
    property_signature: (n) => /^(object_type|interface_body)$/.test(n.parent.type) && n.parent.parent.type === 'interface_declaration' ? [n.childForFieldName('name')] : [],
    required_parameter: (n) => n.namedChildren.some((c) => c.type === 'accessibility_modifier') ? [n.childForFieldName('pattern')] : [],
    variable_declarator: (n) => /^(program|export_statement|statement_block)$/.test(n.parent.parent.type) && n.childForFieldName('name').type === 'identifier' ? [n.childForFieldName('name')] : [],
  },
  may: {
    method_definition: field('name'), property_signature: field('name'), variable_declarator: field('name'), pair: field('key'),
    class: field('name'), function: field('name'), function_expression: field('name'), generator_function: field('name'),
    shorthand_property_identifier: (n) => [n], shorthand_property_identifier_pattern: (n) => [n], identifier: (n) =>
        /^(import|export|namespace_|object_pattern|array_pattern|pair_pattern|assignment_pattern|formal_parameters|required_parameter|optional_parameter)/.test(n.parent.type) ? [n] : [],
    member_expression: (n) => n.parent.type === 'assignment_expression' ? [n.childForFieldName('property')] : [],
    assignment_expression: field('left'), string: (n) => /^(subscript_expression|arguments|module)$/.test(n.parent.type) ? [n] : [],
    type_identifier: (n) => /^(import|export)/.test(n.parent.type) ? [n] : [],
  },
  functions: /^(function|function_expression|function_declaration|generator_function|generator_function_declaration|arrow_function|method_definition)$/,
};

const languages = {
  javascript: {grammar: 'tsx', ...script},
  typescript: {grammar: (path) => path.endsWith('x') ? 'tsx' : 'typescript', ...script},
  python: {
    grammar: 'python',
    must: {function_definition: field('name'), class_definition: field('name'),
           assignment: (n) => n.childForFieldName('left').type === 'identifier' ? [n.childForFieldName('left')] : []},
    may: {assignment: field('left'), identifier: (n) => /^(parameters|default_parameter|pattern_list|aliased_import|lambda_parameters)$/.test(n.parent.type) ? [n] : []},
    functions: /^(function_definition|lambda)$/,
  },
  go: {
    grammar: 'go',
    must: {function_declaration: field('name'), method_declaration: field('name'), type_spec: field('name'), type_alias: field('name'),
           const_spec: (n) => n.childrenForFieldName('name'), var_spec: (n) => n.childrenForFieldName('name'),
           field_declaration: (n) => n.childrenForFieldName('name'), method_spec: field('name')},
    may: {identifier: (n) => [n], field_declaration: field('type'), type_identifier: (n) => [n]},
    functions: /^(function_declaration|method_declaration|func_literal)$/,
  },
  rust: {
    grammar: 'rust',
    must: {function_item: field('name'), function_signature_item: field('name'), struct_item: field('name'), enum_item: field('name'),
           enum_variant: field('name'), union_item: field('name'), trait_item: field('name'), type_item: field('name'),
           associated_type: field('name'), const_item: field('name'), static_item: field('name'), mod_item: (n) => hasBody(n) ? [n.childForFieldName('name')] : [],  // `mod x;` points at a file
           macro_definition: field('name'), field_declaration: field('name')},
    may: {mod_item: field('name')}, tokens: /^token_tree$/,  // of macros: any declaration may stand there
    functions: /^(function_item|closure_expression)$/,
  },
  php: {
    grammar: 'php',
    must: {class_declaration: field('name'), interface_declaration: field('name'), trait_declaration: field('name'), enum_declaration: field('name'),
           method_declaration: field('name'), function_definition: field('name'), const_element: child('name'), enum_case: field('name'),
           property_element: child('variable_name'), property_promotion_parameter: field('name')},
    may: {namespace_definition: field('name'), variable_name: (n) => [n], string: (n) => [n], namespace_use_clause: (n) => n.namedChildren, name: (n) => n.parent.type === 'namespace_name' ? [n] : []},
    functions: /^(method_declaration|function_definition|anonymous_function_creation_expression|arrow_function)$/,
  },
  ruby: {
    grammar: 'ruby',
    must: {class: field('name'), module: field('name'), method: field('name'), singleton_method: field('name'),
           assignment: (n) => n.childForFieldName('left')?.type === 'constant' ? [n.childForFieldName('left')] : []},
    may: {call: symbols, alias: field('name'), assignment: field('left'), simple_symbol: (n) => [n], string: (n) => [n]},
    functions: /^(method|singleton_method)$/,
  },
  java: {
    grammar: 'java',
    must: {class_declaration: field('name'), interface_declaration: field('name'), enum_declaration: field('name'), record_declaration: field('name'),
           annotation_type_declaration: field('name'), annotation_type_element_declaration: field('name'), method_declaration: field('name'),
           enum_constant: field('name'),
           field_declaration: each('variable_declarator', field('name')), constant_declaration: each('variable_declarator', field('name'))},
    may: {variable_declarator: field('name'), formal_parameter: field('name'), constructor_declaration: field('name')},
    functions: /^(method_declaration|constructor_declaration|lambda_expression|static_initializer)$/,
  },
  kotlin: {
    grammar: 'kotlin',
    must: {class_declaration: child('type_identifier'), object_declaration: child('type_identifier'), function_declaration: child('simple_identifier'),
           property_declaration: each('variable_declaration', child('simple_identifier')), enum_entry: child('simple_identifier'),
           class_parameter: (n) => n.namedChildren.some((c) => c.type === 'binding_pattern_kind') ? [n.namedChildren.find((c) => c.type === 'simple_identifier')] : [],
           type_alias: child('type_identifier')},
    may: {variable_declaration: child('simple_identifier'), class_parameter: child('simple_identifier'), companion_object: (n) => [child('type_identifier')(n)[0] ?? n],
          import_alias: child('type_identifier'), secondary_constructor: (n) => [n]},
    functions: /^(function_declaration|lambda_literal|anonymous_function|anonymous_initializer|getter|setter|secondary_constructor)$/,
  },
  'c#': {
    grammar: 'c_sharp',
    must: {class_declaration: field('name'), struct_declaration: field('name'), interface_declaration: field('name'), enum_declaration: field('name'),
           record_declaration: field('name'), record_struct_declaration: field('name'), delegate_declaration: field('name'), method_declaration: field('name'),
           property_declaration: field('name'), event_declaration: field('name'), enum_member_declaration: field('name'),
           field_declaration: each('variable_declaration', each('variable_declarator', (n) => [n.childForFieldName('name') ?? n.namedChild(0)])),
           event_field_declaration: each('variable_declaration', each('variable_declarator', (n) => [n.childForFieldName('name') ?? n.namedChild(0)]))},
    may: {namespace_declaration: field('name'), file_scoped_namespace_declaration: field('name'), variable_declarator: (n) => [n.childForFieldName('name') ?? n.namedChild(0)],
          destructor_declaration: field('name'), local_function_statement: field('name'), using_directive: (n) => n.namedChildren, name_equals: (n) => n.namedChildren,
          operator_declaration: (n) => n.children, indexer_declaration: (n) => n.children, parameter: field('name')},
    functions: /^(method_declaration|constructor_declaration|lambda_expression|local_function_statement|accessor_declaration|anonymous_method_expression|arrow_expression_clause)$/,
  },
  'c++': {
    grammar: 'cpp',
    must: {function_definition: (n) => isFunction(n.childForFieldName('declarator')) && !n.namedChildren.some((c) => /^(delete|default)_method_clause$/.test(c.type)) ? declared(n) : [],
           class_specifier: (n) => hasBody(n) ? [n.childForFieldName('name')] : [],
           struct_specifier: (n) => hasBody(n) ? [n.childForFieldName('name')] : [], union_specifier: (n) => hasBody(n) ? [n.childForFieldName('name')] : [],
           enum_specifier: (n) => hasBody(n) ? [n.childForFieldName('name')] : [], enumerator: field('name'), preproc_def: field('name'),
           preproc_function_def: field('name'), alias_declaration: field('name'), type_definition: (n) => n.childrenForFieldName('declarator').flatMap(declared),
           field_declaration: declarators, declaration: (n) => n.children.some((c) => c.text === 'extern') ? [] : declarators(n)},
    may: {function_definition: declared, namespace_definition: field('name'), declaration: (n) => [...prototypes(n), ...declarators(n)], field_declaration: prototypes,
          class_specifier: field('name'), struct_specifier: field('name'), namespace_alias_definition: field('name'), using_declaration: (n) => n.namedChildren,
          parameter_declaration: declared, identifier: (n) => n.parent.type === 'nested_namespace_specifier' ? [n] : [],
          call_expression: (n) => [n.childForFieldName('function'), ...(n.childForFieldName('arguments')?.namedChildren ?? [])]},
    functions: /^(compound_statement|lambda_expression)$/,
  },
};
languages.c = languages['c++'];

// --- walking -------------------------------------------------------------------------------------

/** As an index has names: the last part of a path, without quotes and marks. */
function nameOf(node) {
  let text = node.type === 'operator_cast' ? node.text.replace(/\(.*/s, '') : node.text;
  if (/^(qualified_identifier|scope_resolution|qualified_name|namespace_name|template_function|template_method|template_type|scoped_identifier)$/.test(node.type))
    text = text.replace(/<[^:]*>$/s, '').split(/::|\\|(?<=\w)\.(?=\w)/).at(-1);
  return text.replace(/^["'`]|["'`]$/g, '').replace(/^[#$:@]+/, '').replace(/\s+/g, '');
}

const parsers = new Map();
async function parserOf(grammar) {
  if (!parsers.has(grammar)) {
    const parser = new Parser();
    parser.setLanguage(await Parser.Language.load(`${modules}/tree-sitter-wasms/out/tree-sitter-${grammar}.wasm`));
    parsers.set(grammar, parser);
  }
  return parsers.get(grammar);
}

async function declarations(language, path, text) {
  const row = languages[language];
  const parser = await parserOf(typeof row.grammar === 'function' ? row.grammar(path) : row.grammar);
  const found = {path, must: [], may: []};
  const walk = (node, free) => {
    free ||= node.isError;
    const must = row.must[node.type]?.(node) ?? [], may = row.may[node.type]?.(node) ?? [];
    const add = (name, list) => name && list.push([nameOf(name), name.startPosition.row + 1]);
    for (const name of must) add(name, free || name?.type === 'string' ? found.may : found.must);
    for (const name of may) add(name, found.may);
    const inside = free || row.functions.test(node.type);
    if (row.tokens?.test(node.type)) {
      for (const name of node.descendantsOfType('identifier')) found.may.push([name.text, name.startPosition.row + 1]);
      return;
    }
    for (const c of node.namedChildren) walk(c, inside);
  };
  const tree = parser.parse(text);
  walk(tree.rootNode, false);
  tree.delete();
  return found;
}

await Parser.init();
for await (const line of createInterface({input: process.stdin})) {
  const [language, path] = line.split('\t');
  const text = readFileSync(`${root}/${path}`, 'utf8').replace(/^\uFEFF/, '');
  console.log(JSON.stringify(await declarations(language, path, text)));
}
