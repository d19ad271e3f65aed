# SPDX-License-Identifier: MIT
ab_add_tests(test_model_region model/test_model_region.c ab_alloc ab_os)
ab_add_tests(test_model_gc model/test_model_gc.c ab_alloc ab_os)
ab_add_tests(test_rbtree model/test_rbtree.c ab_alloc ab_os)
target_include_directories(test_rbtree PRIVATE ${PROJECT_SOURCE_DIR}/bench)
