// All of octavo/storage-tools. It is one file, because the system that is copied, kept and checked takes seconds to make.

import "./backup";
import "./copy";
import "./formats";
import "./verify";
