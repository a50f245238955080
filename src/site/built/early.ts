// Built from src/site/browser/early.ts by `npm run generate:reader`; do not edit.

export const script = "\"use strict\";(()=>{var{classList:e}=document.documentElement;e.add(\"js\");try{let t=localStorage.getItem(\"octavo-theme\");(t===\"light\"||t===\"dark\")&&(e.remove(\"device\",\"light\",\"dark\"),e.add(t))}catch{}})();\n";
